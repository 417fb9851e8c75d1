"""Orders hits so that conclusions stand below their evidence. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Protocol, TypeVar

from ..model.types import MemoryItem


class HasItem(Protocol):
    """A hit of a ranking."""

    @property
    def item(self) -> MemoryItem: ...


T = TypeVar("T", bound=HasItem)


def behind_evidence(
    ranked: Sequence[T], expanded_from: Mapping[str, str] = MappingProxyType({})
) -> Sequence[T]:
    """The hits in their order, but each behind all hits that it cites, and that lead to it.

    However well its words match: who reads sees the evidence first, and a small budget is spent on
    it first. `expanded_from` has, by the id of a hit, that of the one without which it
    would not be there.
    """
    hits = {hit.item.id: hit for hit in ranked}
    behind = {
        name: hits.keys() & {*hit.item.provenance.cites, expanded_from.get(name, "")}
        for name, hit in hits.items()
        if hit.item.provenance.cites or name in expanded_from
    }
    if not behind:
        return ranked
    order: dict[str, None] = {}
    waiting: list[str] = []
    for name in hits:
        if waiting or name in behind:
            waiting.append(name)
            _take(waiting, order, behind)
        else:
            order[name] = None
    # What is left cites itself in a circle.
    return [hits[name] for name in (*order, *waiting)]


def _take(
    waiting: list[str], order: dict[str, None], behind: Mapping[str, AbstractSet[str]]
) -> None:
    """Move those that wait for nothing any more to the order, the better ones first."""
    ready = True
    while ready:
        ready = False
        for name in list(waiting):
            if name not in behind or order.keys() >= behind[name]:
                order[name] = None
                waiting.remove(name)
                ready = True
