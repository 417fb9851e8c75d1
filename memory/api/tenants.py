"""The tenants that have memories, for an operator."""

from __future__ import annotations

from collections import Counter

from typing_extensions import TypedDict

from ..memories import SqlMemories
from ..recall.index.statement_reader import StatementReader


class TenantDict(TypedDict):
    """A tenant, and how many memories of any status it has, with what was said."""

    tenant: str
    memories: int


class TenantResults(TypedDict):
    """All tenants, by name."""

    results: list[TenantDict]


async def tenants_of(store: SqlMemories, heard: StatementReader) -> TenantResults:
    """The tenants with memories or with what was said. Raises StoreError, StateError."""
    found: Counter[str] = Counter()
    for scope, counted in (await store.tally(None)).scopes.items():
        found[scope.tenant] += counted.rows
    for tenant in await heard.tenants():
        async for passages in heard.of_tenant(tenant):
            found[tenant] += len(passages)
    named = sorted((+found).items())
    return TenantResults(results=[TenantDict(tenant=name, memories=n) for name, n in named])
