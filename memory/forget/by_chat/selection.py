"""Chooses what a request of a user means among all that is stored of them."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.types import MemoryItem, Scope
from ..forgetter import Forgetter
from ..proposal import Proposal
from ..query_matches import LOOSELY, clearest

MOST = 200
"""Memories that a search finds."""


class TargetSelection:
    """Proposes what is surely meant: nobody picks from it.

    All of it raises StoreError, StateError, and EmbeddingError.
    """

    def __init__(self, forgetter: Forgetter) -> None:
        self._forgetter = forgetter

    async def meant(
        self,
        scope: Scope,
        about: str,
        *,
        but: str = "",
        each: Sequence[str] = (),
        told: Sequence[str] = (),
    ) -> Proposal:
        """What a request is about, without what `but` means.

        If `each` of several things is found, they are all meant. If no word of `about` tells, the
        one memory is meant that is by far the nearest to it, or to whatever of the `told` wordings
        is near one.
        """
        found = await self._forgetter.find(scope, about, MOST)
        parts = [await self._forgetter.find(scope, one, MOST) for one in each]
        some = [one.meant or (clearest(one.nearest) if told else []) for one in parts]
        meant = found.meant
        if some and all(some):
            meant = list({item.id: item for items in some for item in items}.values())
        if not meant and told:
            meant = clearest(found.nearest) or await self._clearest(scope, told)
        kept = await self._kept(scope, but) if but else set()
        erasure = [item for item in meant if item.id not in kept]
        return await self._forgetter.propose_items(scope, erasure, near=found.near)

    async def all_but(self, scope: Scope, but: str) -> Proposal | None:
        """All but what `but` means; None if that is nothing."""
        kept = await self._kept(scope, but)
        if not kept:
            return None
        items = await self._forgetter.items_of(scope)
        return await self._forgetter.propose_items(scope, [i for i in items if i.id not in kept])

    async def _clearest(self, scope: Scope, told: Sequence[str]) -> list[MemoryItem]:
        """The one that they mean; none if two of them mean two."""
        found = [clearest((await self._forgetter.find(scope, each, MOST)).nearest) for each in told]
        items = {item.id: item for some in found for item in some}
        return list(items.values()) if len(items) == 1 else []

    async def _kept(self, scope: Scope, but: str) -> set[str]:
        """What is to stay: the nearest if nothing is surely meant."""
        found = await self._forgetter.find(scope, but, MOST)
        kept = found.meant or clearest(found.nearest, apart=0.0, least=LOOSELY)
        return {item.id for item in kept}
