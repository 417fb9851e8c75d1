"""What a passage denies in so many words, by the rules of the reconciler. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..learn.reconcile import is_denied
from ..model.types import MemoryItem, Scope, ScoredMemory, Vector
from ..recall.index.user_index import UserIndex

NEAREST = 10


def nearest(index: UserIndex, scope: Scope, vector: Vector, but: str) -> list[ScoredMemory]:
    """The nearest memories and passages of a scope, best first, without the one with id `but`."""
    with index.lock:
        admitted = np.flatnonzero(index.admitted(scope))
        cosines = index.vectors.cosines(vector[np.newaxis])[admitted]
        best = np.argsort(-cosines)[: NEAREST + 1]
        entries = index.entries
        hits = [(entries[int(admitted[at])], float(cosines[at])) for at in best]
    found = [ScoredMemory(entry.item, score) for entry, score in hits if entry is not None]
    return [hit for hit in found if hit.item.id != but][:NEAREST]


def contradicted(item: MemoryItem, near: Sequence[ScoredMemory]) -> frozenset[str]:
    """The ids among `near` that are not true any more, or never were, if this one is."""
    earlier = [hit.item for hit in near if hit.item.updated_at <= item.created_at]
    return frozenset(each.id for each in earlier if is_denied(each.text, item.text))
