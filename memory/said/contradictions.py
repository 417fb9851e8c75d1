"""What a passage speaks against, by the rules of the reconciler without a model. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..calibration import Calibration
from ..learn.reconcile import Neighbour, reconcile
from ..recall.index.user_index import UserIndex
from ..types import Candidate, EventKind, MemoryItem, Scope, ScoredMemory, Vector

NEAREST = 10
_AGAINST = frozenset({EventKind.UPDATE, EventKind.DELETE})


def nearest(index: UserIndex, scope: Scope, vector: Vector, but: str) -> list[ScoredMemory]:
    """The nearest memories and passages of a scope, best first, without the one with id `but`."""
    with index.lock:
        admitted = np.flatnonzero(index.admitted(scope))
        cosines = index.vectors[admitted] @ vector
        best = np.argsort(-cosines)[: NEAREST + 1]
        entries = index.entries
        hits = [(entries[int(admitted[at])], float(cosines[at])) for at in best]
    found = [ScoredMemory(entry.item, score) for entry, score in hits if entry is not None]
    return [hit for hit in found if hit.item.id != but][:NEAREST]


def contradicted(
    item: MemoryItem, near: Sequence[ScoredMemory], calibration: Calibration
) -> frozenset[str]:
    """The ids among `near` that are not true any more, or never were, if this one is."""
    earlier = [hit for hit in near if hit.item.updated_at <= item.created_at]
    return frozenset(hit.item.id for hit in earlier if _is_over(hit, item, calibration))


def _is_over(hit: ScoredMemory, item: MemoryItem, calibration: Calibration) -> bool:
    """Each alone: of several, the reconciler decides about one, and about none if it is unsure."""
    decision = reconcile(
        Candidate(text=item.text),
        [Neighbour.of(hit)],
        new_id=item.id,
        calibration=calibration,
        at=item.created_at,
    )
    return decision.event in _AGAINST
