"""Orders hits so that conclusions stand below their evidence. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    cites = {
        hit.item.id: (*hit.item.provenance.cites, *filter(None, (expanded_from.get(hit.item.id),)))
        for hit in ranked
    }
    if not any(cites.values()):
        return ranked
    hits = {hit.item.id: hit for hit in ranked}
    order: dict[str, None] = {}
    waiting: list[str] = []
    for hit in ranked:
        waiting.append(hit.item.id)
        _take(waiting, order, cites)
    # What is left cites itself in a circle.
    return [hits[name] for name in (*order, *waiting)]


def _take(waiting: list[str], order: dict[str, None], cites: Mapping[str, Sequence[str]]) -> None:
    """Move those that wait for nothing any more to the order, the better ones first."""
    ready = True
    while ready:
        ready = False
        for name in list(waiting):
            if all(each in order or each not in cites for each in cites[name]):
                order[name] = None
                waiting.remove(name)
                ready = True
