"""The earlier versions of what answers a question about a change. Pure.

"What changed about my job?", "Where did I live before?": what was superseded is recalled with its
successor, as a line with its end. Only active memories are in an index; the store has the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..model.types import MemoryItem
from .beside import Beside
from .profile import Role
from .rank import Ranked
from .signals import SIGNALS

MOST_READ = 1000
"""Newest superseded memories of a scope that are looked through."""
MOST_SHOWN = 8
"""Earlier versions of one memory: a thousand changes of one thing are not a question's answer."""
_NOTHING = (0.0,) * len(SIGNALS)


def with_earlier(beside: Beside, ranked: Iterable[Ranked], once: Sequence[MemoryItem]) -> Beside:
    """`beside` with the superseded memories of the same matter as the relevant hits.

    `once` are superseded memories, newest first.
    """
    later = dict(beside.later)
    by_matter: dict[str, list[MemoryItem]] = {}
    for item in once:
        for name in {item.provenance.matter or item.id, item.provenance.superseded_by or ""}:
            by_matter.setdefault(name, []).append(item)
    shown: set[str] = set()
    for hit in ranked:
        if not hit.relevant:
            continue
        found = _of(hit.item, by_matter)
        earlier = [item for item in found if item.id not in shown][:MOST_SHOWN]
        shown.update(item.id for item in earlier)
        if earlier:
            before = later.get(hit.item.id, ())
            later[hit.item.id] = (*before, *(_hit(item) for item in earlier))
    return replace(beside, later=later)


def _of(item: MemoryItem, by_matter: Mapping[str, Sequence[MemoryItem]]) -> list[MemoryItem]:
    names = (item.provenance.matter or item.id, item.id)
    found = {one.id: one for name in names for one in by_matter.get(name, ())}
    return sorted(found.values(), key=lambda one: one.updated_at, reverse=True)


def _hit(item: MemoryItem) -> Ranked:
    """As a line of the time when it became true: a superseded row may have the time of its end."""
    began = item.valid_from or item.created_at
    return Ranked(
        replace(item, updated_at=min(began, item.updated_at)), 0.0, 0.0, 0.0, _NOTHING,
        relevant=True, position=-1, words=hash(item.text), role=Role.EARLIER.value,
    )  # fmt: skip
