"""What one answer of a model holds: its text, its calls, and what it took. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.memory.model.types import ToolCall

Results = Sequence[tuple[ToolCall, str]]
"""Calls, and what each of them answered."""
NOT_RUN = '{"error":"not run: call this tool again, in an answer without other tools"}'
"""What a model is told of a client's tool that it called beside ours."""


class OurNames(Container[str]):
    """The names of our tools, in whatever case a model writes them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(map(_plain, names))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _plain(name) in self._names


def _plain(name: str) -> str:
    """Some models write a space or the namespace of functions before a name."""
    return name.strip().casefold().removeprefix("functions.")


@dataclass(frozen=True, slots=True)
class Round:
    """One answer, as far as it decides what comes next."""

    said: tuple[Mapping[str, Any], ...] = ()
    """What the next request repeats of it, in the shape of its API."""
    calls: tuple[ToolCall, ...] = ()
    """All calls, in order."""
    text: str = ""
    usage: Any = None
    broken: bool = False
    """Whether the server did not end it, or by an error: its calls may be cut, and none is run."""

    def ours(self, names: Container[str]) -> list[ToolCall]:
        """The calls of tools with these names."""
        return [call for call in self.calls if call.name in names]


GAP = "\n\n"
"""Between the texts of two rounds."""


def added_up(first: Any, second: Any) -> Any:
    """The sum of two accounts of tokens, field by field; what only one has is its own."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        names = dict.fromkeys((*first, *second))
        return {name: added_up(first.get(name), second.get(name)) for name in names}
    if _is_number(first) and _is_number(second):
        return first + second
    return first if second is None else second


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
