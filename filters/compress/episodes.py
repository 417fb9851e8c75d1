"""Finds the episodes of a conversation that may stand for its old turns. Pure.

An extract must not change once a model saw it, wherever and whenever it is made. So an episode
counts only if a pause ended its stretch, because one that goes on is rewritten, and if it was
written, as it is, before the turn that was recorded last when its turns were first taken out. A
later one, and one that was rewritten since, never counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from recollect.memory.model.types import MemoryItem, MemoryStatus, MemoryType


def usable(
    episodes: Sequence[MemoryItem],
    ids: Sequence[str],
    dates: Mapping[str, datetime | None],
    *,
    step: int,
    keep: int,
    gap: timedelta,
) -> dict[str, str]:
    """The texts of episodes, by the id of the last turn of each.

    `ids` are all turns of the conversation, in order; `dates` tells when those that may be taken
    out were recorded, and those with which they first were. `gap` is the pause that ends a stretch.
    """
    place = {turn_id: at for at, turn_id in enumerate(ids)}
    found: dict[str, list[str]] = {}
    for item in sorted(episodes, key=lambda one: one.id):
        told = item.provenance.turn_ids
        if not _stands(item) or not all(dates.get(turn_id) for turn_id in told):
            continue
        last = max(place[turn_id] for turn_id in told)
        if not _ends(ids[last : last + 2], dates, gap):
            continue
        before = (last // step + 1) * step + keep - 1
        first_used = dates.get(ids[before]) if before < len(ids) else None
        written = item.provenance.recorded_at or item.updated_at
        if first_used is not None and written < first_used:
            found.setdefault(ids[last], []).append(item.text)
    return {turn_id: " ".join(texts) for turn_id, texts in found.items()}


def _ends(around: Sequence[str], dates: Mapping[str, datetime | None], gap: timedelta) -> bool:
    """Whether there is a pause between a turn and the next one."""
    times = [at for turn_id in around if (at := dates.get(turn_id)) is not None]
    return len(times) > 1 and times[1] - times[0] >= gap


def _stands(item: MemoryItem) -> bool:
    active = item.status is MemoryStatus.ACTIVE and item.type is MemoryType.EPISODIC
    said = bool(item.provenance.turn_ids) and not item.provenance.source.is_hearsay
    return active and said
