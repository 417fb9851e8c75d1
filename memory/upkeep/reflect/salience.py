"""Decides when it is time to reflect, by a counter of importance. Pure.

After Generative Agents (Park et al. 2023, arXiv 2304.03442, section 4.2): reflection starts when
the importance of the latest events adds up to a threshold; theirs is 150 of events rated from 1 to
10, which is 15 of ours from 0 to 1, and was reached two or three times a day. The counter is the
sum over the rows themselves, so that it survives every crash, is the same in all processes, loses
what was forgotten, and starts again with each run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from ...model.jobs import JobKind
from ...model.types import MemoryItem, MemoryStatus, MemoryType, Scope
from ...model.upkeep import UpkeepRun

LEAST_SALIENCE = 15.0
"""What the importance of the episodes of a scope since the last time adds up to before conclusions
are drawn; of its facts if there are no episodes."""
MAX_PER_DAY = 3
"""Most times a day (UTC) that conclusions are drawn in a scope by itself. Calls are not counted.
The paper's agents came to two or three."""
THRESHOLD = "threshold"
"""The reason of a run that nobody asked for."""
MAX_EVIDENCE_CHARS = 1_000
"""A longer memory is a document, and says too many things to cite."""


def is_evidence(item: MemoryItem, scope: Scope) -> bool:
    """Whether conclusions may be drawn from it: the user's own, of exactly this scope, undoubted.

    Conclusions are none: one that follows from another would stand on nothing but us.
    """
    origin = item.provenance
    return (
        item.scope == scope
        and item.status is MemoryStatus.ACTIVE
        and item.type in (MemoryType.SEMANTIC, MemoryType.EPISODIC)
        and not origin.source.is_hearsay
        and not origin.flags
        and not origin.shared
        and 0 < len(item.text.strip()) <= MAX_EVIDENCE_CHARS
    )


def last_run(runs: Iterable[UpkeepRun], scope: Scope) -> UpkeepRun | None:
    """The last reflection of exactly this scope that had a model; `runs` are newest first."""
    of_it = (run for run in runs if _is_of(run, scope) and not run.unasked)
    return next(of_it, None)


def new_among(items: Iterable[MemoryItem], last: UpkeepRun | None) -> list[MemoryItem]:
    """Those that were recorded after a run, whatever time they are about."""
    return [
        item
        for item in items
        if last is None or (item.provenance.recorded_at or item.updated_at) > last.at
    ]


def salience(episodes: Sequence[MemoryItem], facts: Sequence[MemoryItem]) -> float:
    """What happened since then adds up to: the importance of episodes, or of facts without any."""
    return sum(min(max(item.importance, 0.0), 1.0) for item in episodes or facts)


def may_run(runs: Iterable[UpkeepRun], scope: Scope, now: datetime) -> bool:
    """Whether a run may start by itself today."""
    today = [
        run
        for run in runs
        if _is_of(run, scope) and run.reason == THRESHOLD and run.at.date() == now.date()
    ]
    return len(today) < MAX_PER_DAY


def _is_of(run: UpkeepRun, scope: Scope) -> bool:
    return run.scope == scope and run.kind is JobKind.REFLECT
