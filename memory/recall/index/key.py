"""Maps scopes to indexes."""

from __future__ import annotations

from typing import NamedTuple

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
