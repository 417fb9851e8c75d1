"""The blocks that scopes see, kept in this process until somebody says that they changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from ..model.types import OwnerRef, Scope
from ..util.lru import Lru
from .visibility import SeenBlock

_PREFIX = "block:"
MOST_SCOPES = 10_000
"""Scopes whose blocks are kept."""
MOST_TENANTS = 10_000
"""Tenants of which is kept whether they have any."""


def announced(block_id: str) -> str:
    """The id under which a change of a block is announced."""
    return _PREFIX + block_id


class BlockCache:
    """Blocks by scope. Changes are rare, so one drops all that is known of its tenant."""

    def __init__(
        self,
        exist: Callable[[str], Awaitable[bool]],
        read: Callable[[Scope], Awaitable[Sequence[SeenBlock]]],
    ) -> None:
        """`exist` tells whether a tenant has any block, `read` what a scope sees."""
        self._exist, self._read = exist, read
        self._tenants: Lru[str, bool] = Lru(MOST_TENANTS)
        self._seen: Lru[Scope, Sequence[SeenBlock]] = Lru(MOST_SCOPES)
        self._epoch = 0

    async def get(self, scope: Scope) -> Sequence[SeenBlock]:
        """The blocks of a scope. Of a tenant without any, nothing is read twice.

        Raises:
            StateError: they are not known, and cannot be read.
        """
        has_any = self._tenants.get(scope.tenant)
        if has_any is None:
            epoch = self._epoch
            has_any = await self._exist(scope.tenant)
            if epoch == self._epoch:
                self._tenants.put(scope.tenant, has_any)
        if not has_any:
            return ()
        known = self._seen.get(scope)
        if known is None:
            epoch = self._epoch
            known = tuple(await self._read(scope))
            if epoch == self._epoch:  # or else one changed while it was read
                self._seen.put(scope, known)
        return known

    def knows(self, scope: Scope) -> bool:
        """Whether `get` reads nothing."""
        has_any = self._tenants.get(scope.tenant)
        return has_any is False or (bool(has_any) and self._seen.get(scope) is not None)

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None, /) -> None:
        """Drop what is known of a tenant, if a block of it changed or everything is forgotten."""
        if memory_id is not None and not str(memory_id).startswith(_PREFIX):
            return
        tenant = owner_ref if isinstance(owner_ref, str) else owner_ref.tenant
        self._epoch += 1
        self._tenants.drop(tenant.__eq__)
        self._seen.drop(lambda scope: scope.tenant == tenant)

    def clear(self) -> None:
        """Drop everything: announcements may have been missed."""
        self._epoch += 1
        self._tenants.drop(lambda _: True)
        self._seen.drop(lambda _: True)
