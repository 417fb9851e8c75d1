"""Remembers turns whose tools are still running, in this process and bounded.

A client returns with the whole turn, or with the results alone if the upstream keeps the
conversation. Redacted texts are reused, and the calls that belong to the results are known. If a
turn is evicted, its texts are redacted again and its steps have no names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from recollect.memory.model.types import Scope, ToolCall, ToolStep
from recollect.memory.util.lru import Lru

from ..turn_cache import TurnKey, concerns

MAX_TURNS = 2048
MAX_CHARS = 8_000_000
"""Of all of them together."""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """The state of a turn after its last answer."""

    steps: tuple[ToolStep, ...] = ()
    """Redacted and bounded."""
    calls: tuple[ToolCall, ...] = ()
    """The calls of the last answer."""
    kept: Mapping[int, str] = field(default_factory=dict)
    """Redacted texts by the hash of the original."""


NOTHING = OpenTurn()


class OpenTurns:
    """Open turns by scope and id."""

    def __init__(self, *, most: int = MAX_TURNS, max_chars: int = MAX_CHARS) -> None:
        self._turns: Lru[TurnKey, OpenTurn] = Lru(most, max_size=max_chars, size=_chars)

    def find(self, key: TurnKey) -> OpenTurn:
        """The state of a turn; `NOTHING` if unknown."""
        return self._turns.get(key) or NOTHING

    def note(self, key: TurnKey, turn: OpenTurn) -> None:
        """Set the state of a turn; a turn without calls is finished."""
        if turn.calls:
            self._turns.put(key, turn)
        elif self._turns.get(key) is not None:
            self._turns.put(key, NOTHING)

    def forget(self, whose: Scope | str) -> None:
        """Forget the turns of a scope or a tenant."""
        self._turns.drop(lambda key: concerns(whose, key.scope))

    def clear(self) -> None:
        """Forget everything."""
        self._turns.drop(lambda _: True)


def _chars(turn: OpenTurn) -> int:
    return sum(map(len, _texts(turn)))


def _texts(turn: OpenTurn) -> Iterable[str]:
    for step in turn.steps:
        yield from (step.name, step.arguments, step.result)
    for call in turn.calls:
        yield from (call.name, call.arguments, call.id)
    yield from turn.kept.values()
