"""Reads the stretches that a job is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from ...database.conversations import SqlConversations
from ...model.jobs import Job
from ...model.types import Turn
from .stretches import MOST_TURNS, Stretch, is_pause, since_pause, stretches

MOST_READ = 10 * MOST_TURNS
"""Turns that are read at most to find where a stretch began."""
AHEAD = 20
"""Positions after a job's last turn in which the next one is looked for: some may be erased."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The stretches of a conversation that a job's turns belong to."""

    stretches: tuple[Stretch, ...] = ()
    goes_on: bool = False
    """Whether the last one has later turns: their own job tells all of it."""
    later: bool = False
    """Whether the conversation went on after a pause."""


async def touched(conversations: SqlConversations, job: Job, gap: timedelta) -> Touched:
    """The stretches with a turn of the job. Raises StateError."""
    after = job.after_seq or 0
    turns = await conversations.turns(job.conversation_id, after, job.upto_seq)
    if not turns:
        return Touched()
    before = await _before(conversations, turns[0], gap)
    named = [turn.id for turn in turns]
    found = [each for each in stretches([*before, *turns], gap) if each.touches(named)]
    next_ = await conversations.turns(job.conversation_id, job.upto_seq, job.upto_seq + AHEAD)
    if not next_:
        return Touched(tuple(found))
    apart = is_pause(turns[-1], next_[0], gap) or found[-1].is_full
    return Touched(tuple(found), goes_on=not apart, later=apart)


async def _before(conversations: SqlConversations, first: Turn, gap: timedelta) -> Sequence[Turn]:
    """The turns before one, back to the last pause."""
    found: list[Turn] = []
    upto = first.seq - 1
    while upto > 0 and len(found) < MOST_READ:
        after = max(0, upto - MOST_TURNS)
        page = await conversations.turns(first.conversation_id, after, upto)
        since, paused = since_pause([*page, *found, first], gap)
        found, upto = since[:-1], after
        if paused:
            break
    return found
