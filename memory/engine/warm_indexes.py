"""Counts how much of an owner's memories is in the indexes of all processes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..model.owner import Owner
from ..model.types import OwnerRef, Scope
from ..recall import HotIndexes
from ..recall.index.key import IndexKey
from ..util.sibling_messages import SiblingFailedError, SiblingMessages

_TOPIC = "warm indexes"
_NAME_CHARS = 16
"""Of a digest that stands for an index between siblings: no two of 100,000 share it."""


@dataclass(frozen=True, slots=True)
class Warmth:
    """The indexes of an owner that are in memory."""

    users: int = 0
    """Users with an index; of a scope without a user, 1 if it has one."""
    memories: int = 0
    nbytes: int = 0
    """Of all processes: one that two of them have takes room twice."""


class WarmIndexes:
    """Looks into the indexes of all siblings."""

    def __init__(
        self, indexes: HotIndexes, sibling_messages: SiblingMessages | None = None
    ) -> None:
        self._indexes = indexes
        self._sibling_messages = sibling_messages
        if sibling_messages is not None:
            sibling_messages.on(_TOPIC, self._asked)

    async def of(self, owner_ref: OwnerRef) -> Warmth:
        """The indexes of an owner; for a scope, the one that serves it.

        A sibling that does not answer counts as one that has none.
        """
        sizes = _sizes(self._indexes, owner_ref)
        nbytes = sum(size for _, size in sizes.values())
        for told in await self._others(owner_ref):
            nbytes += sum(size for _, size in told.values())
            sizes = told | sizes
        return Warmth(len(sizes), sum(count for count, _ in sizes.values()), nbytes)

    async def _others(self, owner_ref: OwnerRef) -> list[dict[str, tuple[int, int]]]:
        if self._sibling_messages is None:
            return []
        tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
        ids = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
        told = []
        for number in self._sibling_messages.sibling.others:
            try:
                told.append(
                    await self._sibling_messages.ask(number, _TOPIC, tenant=tenant, ids=ids) or {}
                )
            except SiblingFailedError:
                continue
        return [{name: (size[0], size[1]) for name, size in each.items()} for each in told]

    async def _asked(self, asked: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
        return _sizes(self._indexes, Owner(asked["tenant"]).owner_ref(**asked["ids"]))


def _sizes(indexes: HotIndexes, owner_ref: OwnerRef) -> dict[str, tuple[int, int]]:
    """Memories and bytes by the digest of an index. Of a tenant, those of its users."""
    wanted = IndexKey.of(owner_ref) if isinstance(owner_ref, Scope) else None
    return {
        _digest(key): size
        for key, size in indexes.sizes().items()
        if key == wanted or (wanted is None and key.tenant == owner_ref and key.user_id is not None)
    }


def _digest(key: IndexKey) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:_NAME_CHARS]
