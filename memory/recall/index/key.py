"""Maps scopes to indexes, and counts their writes in all processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol
from urllib.parse import quote

from ...model.types import Scope


class IndexKey(NamedTuple):
    """Names an index: all memories of a user, or those of an agent or run for other scopes."""

    tenant: str
    user_id: str | None
    agent_id: str | None
    run_id: str | None

    @classmethod
    def of(cls, scope: Scope) -> IndexKey:
        """The index that is queried for a scope."""
        if scope.user_id is not None:
            return cls(scope.tenant, scope.user_id, None, None)
        return cls(scope.tenant, None, scope.agent_id, scope.run_id)

    @classmethod
    def holding(cls, scope: Scope) -> frozenset[IndexKey]:
        """Every index that holds the memories of this scope."""
        tenant, agent, run = scope.tenant, scope.agent_id, scope.run_id
        without_user = {
            cls(tenant, None, a, r) for a in {agent, None} for r in {run, None} if a or r
        }
        return frozenset(without_user | {cls.of(scope)})

    @property
    def scope(self) -> Scope:
        """The widest scope that is queried in this index."""
        return Scope(
            tenant=self.tenant, user_id=self.user_id, agent_id=self.agent_id, run_id=self.run_id
        )

    @property
    def name(self) -> str:
        """An unambiguous name for shared state, for any characters in the ids."""
        parts = (self.user_id, self.agent_id, self.run_id)
        written = ("-" if part is None else "=" + quote(part, safe="") for part in parts)
        return "/".join((tenant_key(self.tenant), *written))


def tenant_key(tenant: str) -> str:
    """The name of a tenant in shared state; it is never the name of an index."""
    return quote(tenant, safe="")


class WriteCounters(Protocol):
    """Counters of the writes to indexes and tenants, shared by every process that writes.

    Announcements may be missed; whoever compares counters before it serves an index misses none.
    """

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The current counters; 0 for keys without a write. Raises StateError."""

    async def bump(self, key: str) -> int:
        """Count one finished write; returns the new value. Raises StateError."""
