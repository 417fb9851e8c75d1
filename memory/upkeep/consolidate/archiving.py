"""Selects memories for the archive: those that nobody needs any more. Pure.

Only with `archive_below`. Never archived are: what a person validated or took out of the archive;
wishes, constraints and other standing traits; procedures; what is pending or shared; what was told,
recalled, confirmed or called useful lately; and what another memory stands on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ...learn.records import about_stored
from ...model.salience import salience
from ...model.types import Decision, EventKind, MemoryItem, MemoryStatus, MemoryType, StoredMemory
from ...model.usage import UNUSED, Usage
from ...recall.index.facts import traits_kept
from ...recall.injection_policy import says_lasting
from ...recall.traits import traits_of

STAGE = "archive"
REASON = "of little weight, and not used for long"
ARCHIVED_PER_RUN = 200
"""What a run archives at most, so that a wrong bound is seen before it did much."""
UNUSED_FOR = timedelta(days=90)
"""Time in which a memory that is archived must not have been told, recalled, confirmed or called
useful: what comes round with the seasons is asked for again within it."""


def is_standing(memory: StoredMemory) -> bool:
    """Whether a memory tells a wish, a constraint or another trait that answers must respect.

    By what was judged of its meaning when it was written; else, and besides, by its words.
    """
    kept, text = traits_kept(memory), memory.item.text
    meant = kept is not None and bool(kept.traits or kept.bears_on or kept.private or kept.unfit)
    return meant or bool(traits_of(text)) or bool(says_lasting(text))


def faded(
    memories: Iterable[StoredMemory],
    now: datetime,
    *,
    held: Collection[str] = (),
) -> list[StoredMemory]:
    """The memories that may be archived as their use tells, whose counters are to be read.

    How salient they are is not asked yet: what people said of them moves that in both directions.

    `held` are ids that stay: other memories stand on them, or other scopes see them.
    """
    before = now - UNUSED_FOR
    return [
        memory for memory in memories if _may_go(memory.item, before) and memory.item.id not in held
    ]


def to_archive(
    candidates: Sequence[StoredMemory],
    used: Mapping[str, Usage],
    below: float,
    now: datetime,
) -> list[Decision]:
    """The decisions about `faded` memories, the least salient first, as many as a run may."""
    before = now - UNUSED_FOR
    weighed = [
        (salience(one.item, now, usage), one)
        for one in candidates
        if _unused(usage := used.get(one.item.id, UNUSED), before) and not is_standing(one)
    ]
    chosen = sorted((each for each in weighed if each[0] < below), key=_least_first)
    return [
        replace(
            about_stored(one.item, EventKind.ARCHIVE, STAGE, REASON), scores={"salience": weight}
        )
        for weight, one in chosen[:ARCHIVED_PER_RUN]
    ]


def _least_first(weighed: tuple[float, StoredMemory]) -> tuple[float, str]:
    return weighed[0], weighed[1].item.id


def _may_go(item: MemoryItem, before: datetime) -> bool:
    origin = item.provenance
    touched = (item.updated_at, item.created_at, item.last_accessed_at, origin.recorded_at)
    return (
        item.status is MemoryStatus.ACTIVE
        and item.type is not MemoryType.PROCEDURAL
        and origin.validated_at is None
        and origin.restored_at is None
        and not origin.pending
        and not origin.withheld
        and all(moment is None or moment < before for moment in touched)
    )


def _unused(usage: Usage, before: datetime) -> bool:
    recalled = usage.last_recalled
    believed = usage.positive > usage.negative or usage.confirmed > usage.corrected
    return not believed and (recalled is None or recalled < before)
