"""Turns that this process remembers, bounded: those whose tools run, and those not written yet.

A client returns with the whole turn, or with the results alone if the upstream keeps the
conversation. Redacted texts are reused, and the calls that belong to the results are known. If a
turn is evicted, its texts are redacted again and its steps have no names. Turns wait to be written
for the file of the state to be back where it was opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from recollect.memory.model.types import Scope, ToolCall, ToolStep, Turn
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

    def forget(self, owner_ref: Scope | str) -> None:
        """Forget the turns of a scope or a tenant."""
        self._turns.drop(lambda key: concerns(owner_ref, key.scope))

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


MOST_TURNS = 5_000
MOST_CHARS = 16_000_000
"""Of all of them together, with their pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class WaitingTurn:
    """A turn that could not be written yet."""

    turn: Turn
    continues: bool
    """Whether its tools were still running: it is not due then."""


class WaitingTurns:
    """Oldest first, bounded: what finds no room is lost, and what waits already is not."""

    def __init__(self, *, most: int = MOST_TURNS, max_chars: int = MOST_CHARS) -> None:
        self._most = most
        self._max_chars = max_chars
        self._turns: dict[TurnKey, WaitingTurn] = {}
        self._chars = 0
        self.some = asyncio.Event()
        """Set while any waits."""

    def __len__(self) -> int:
        return len(self._turns)

    def __iter__(self) -> Iterator[WaitingTurn]:
        return iter(self._turns.values())

    def __contains__(self, waiting: object) -> bool:
        return isinstance(waiting, WaitingTurn) and self._turns.get(_key(waiting)) is waiting

    def keep(self, waiting: WaitingTurn) -> bool:
        """Keep a turn, in place of an earlier state of it; False if there is no room."""
        key = _key(waiting)
        known = self._turns.get(key)
        chars = self._chars + _size(waiting) - (_size(known) if known else 0)
        if chars > self._max_chars or (known is None and len(self._turns) >= self._most):
            return False
        self._turns[key] = waiting
        self._chars = chars
        self.some.set()
        return True

    def done(self, waiting: WaitingTurn) -> None:
        """It waits no longer; a later state of the same turn still does."""
        if waiting in self:
            del self._turns[_key(waiting)]
            self._chars -= _size(waiting)
        if not self._turns:
            self.some.clear()

    def forget(self, owner_ref: Scope | str) -> None:
        """Forget the turns of a scope or a tenant."""
        for waiting in [each for each in self if concerns(owner_ref, each.turn.scope)]:
            self.done(waiting)


def _key(waiting: WaitingTurn) -> TurnKey:
    return TurnKey(waiting.turn.scope, waiting.turn.id)


def _size(waiting: WaitingTurn) -> int:
    turn, before = waiting.turn, waiting.turn.before
    texts = [turn.user_text, turn.assistant_text, *turn.images]
    texts += [text for step in turn.steps for text in (step.name, step.arguments, step.result)]
    texts += () if before is None else (before.asked,)
    return sum(map(len, texts))
