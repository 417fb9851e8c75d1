"""Turns whose tools are still at work.

A client comes back with the whole turn, or, where the upstream keeps the conversation, with results
alone. What was prepared of it need not be prepared again, and what is not repeated has to be known.
Remembered in this process, bounded; without it work is done twice and steps have no names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from recollect.memory.lru import Lru
from recollect.memory.types import Scope, ToolCall, ToolStep

from ..turn_cache import TurnKey, concerns

MAX_TURNS = 2048
MAX_CHARS = 8_000_000
"""Of all of them together."""


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What a turn had come to with its last answer."""

    steps: tuple[ToolStep, ...] = ()
    """As they were kept."""
    calls: tuple[ToolCall, ...] = ()
    """What the assistant asked for then."""
    kept: Mapping[int, str] = field(default_factory=dict)
    """Texts as they were kept, by the hash of what they were."""


NOTHING = OpenTurn()


class OpenTurns:
    """Open turns by scope and id; nobody finds another scope's."""

    def __init__(self, *, most: int = MAX_TURNS, max_chars: int = MAX_CHARS) -> None:
        self._turns: Lru[TurnKey, OpenTurn] = Lru(most, max_size=max_chars, size=_chars)

    def find(self, key: TurnKey) -> OpenTurn:
        """What is known of it."""
        return self._turns.get(key) or NOTHING

    def note(self, key: TurnKey, turn: OpenTurn) -> None:
        """It goes on from here; one without calls is over."""
        if turn.calls:
            self._turns.put(key, turn)
        elif self._turns.get(key) is not None:
            self._turns.put(key, NOTHING)

    def forget(self, whose: Scope | str) -> None:
        """Forget what a scope or a tenant said."""
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
