"""Divides a conversation into stretches. Pure.

A stretch ends with a pause, whichever trigger learned its turns, and at `MOST_TURNS`: so each of
its turns is shown to the model, and is named by the episode as its evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ...model.types import Turn

GAP = timedelta(minutes=30)
"""A pause of this length ends a stretch. A conversation that goes on sooner extends its episode,
later it begins another one. Half an hour is what web analytics calls a session."""
MOST_TURNS = 120
"""Most turns of a stretch; a longer conversation without a pause is several."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns without a longer pause between them, in order; at least one."""

    turns: tuple[Turn, ...]

    @property
    def name(self) -> str:
        """The same as long as its first turn is there, however it goes on."""
        return name_of(self.turns[0].conversation_id, self.turns[0].id)

    @property
    def ids(self) -> tuple[str, ...]:
        """Of its turns."""
        return tuple(turn.id for turn in self.turns)

    @property
    def ended_at(self) -> datetime:
        """When its last turn was created."""
        return max(turn.created_at for turn in self.turns)

    @property
    def is_full(self) -> bool:
        """Whether no turn can be added."""
        return len(self.turns) >= MOST_TURNS

    def touches(self, turn_ids: Iterable[str]) -> bool:
        """Whether one of these turns is in it."""
        return not set(turn_ids).isdisjoint(self.ids)


def name_of(conversation_id: str, first_turn_id: str) -> str:
    """The name of the stretch that begins with a turn."""
    return f"{conversation_id}|{first_turn_id}"


def stretches(turns: Sequence[Turn], gap: timedelta) -> list[Stretch]:
    """The turns cut where a pause is longer than `gap`; a clock that goes back is no pause.

    `turns` begin where a stretch does.
    """
    parts: list[list[Turn]] = []
    for turn in turns:
        new = not parts or len(parts[-1]) == MOST_TURNS
        if new or is_pause(parts[-1][-1], turn, gap):
            parts.append([])
        parts[-1].append(turn)
    return [Stretch(tuple(part)) for part in parts]


def is_pause(before: Turn, after: Turn, gap: timedelta) -> bool:
    """Whether a stretch ends between two turns."""
    return after.created_at - before.created_at > gap


def since_pause(turns: Sequence[Turn], gap: timedelta) -> tuple[list[Turn], bool]:
    """The turns after the last pause, and whether there was one."""
    for at in range(len(turns) - 1, 0, -1):
        if is_pause(turns[at - 1], turns[at], gap):
            return list(turns[at:]), True
    return list(turns), False


def is_over(stretch: Stretch, *, later: bool, quiet: timedelta, now: datetime) -> bool:
    """Whether nothing more is expected: it is full, others came later, or it is quiet."""
    return stretch.is_full or later or now - stretch.ended_at >= quiet


def covers(named: Iterable[str], stretch: Stretch) -> bool:
    """Whether an episode that names these turns tells of the whole stretch."""
    return set(stretch.ids) <= set(named)
