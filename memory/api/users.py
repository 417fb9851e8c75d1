"""Who has memories: the users, agents and runs of a tenant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import TypedDict

from ..memories import SqlMemories
from ..model.across_scopes import Counted, ScopeCount
from ..model.owner import Owner
from ..model.times import iso
from ..model.types import MemoryItem, MemoryStatus, Scope
from ..recall.index.entry import is_left
from ..recall.index.statement_reader import StatementReader, unlearned

_KINDS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}


class EntityDict(TypedDict):
    """A user, an agent or a run with memories."""

    type: str
    """`user`, `agent` or `run`."""
    name: str
    """Its id."""
    total_memories: int
    """Active memories, and statements that are no memory yet, as `count` counts them; 0 if only
    earlier versions, archived ones and such are left."""
    created_at: str
    """The time of its first memory."""
    updated_at: str
    """The latest change of one."""


class UserResults(TypedDict):
    """Users, agents and runs, by kind and name."""

    results: list[EntityDict]


class EntityCounter:
    """Counts memories as they come; keeps nothing of them but ids and times."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], ScopeCount] = {}

    def add(self, scope: Scope, counted: ScopeCount) -> None:
        """Add the memories of a scope to what is known of its user, agent and run."""
        for key, name in scope.ids().items():
            place = _KINDS[key], name
            known = self._found.get(place)
            self._found[place] = counted if known is None else known.with_those_of(counted)

    def entities(self) -> list[EntityDict]:
        """All of them: users, agents, runs, each by name."""
        order = list(_KINDS.values())
        return [
            EntityDict(
                type=kind,
                name=name,
                total_memories=counted.active,
                created_at=iso(counted.first),
                updated_at=iso(counted.latest),
            )
            for (kind, name), counted in sorted(
                self._found.items(), key=lambda each: (order.index(each[0][0]), each[0][1])
            )
        ]


def user_results(_: Mapping[str, Any], found: list[EntityDict]) -> UserResults:
    """As requests are answered."""
    return UserResults(results=found)


async def entities_of(store: SqlMemories, heard: StatementReader, owner: Owner) -> list[EntityDict]:
    """The users, agents and runs of an owner; of a single user its agents and runs.

    Raises StoreError, StateError.
    """
    owner_counts = EntityCounter()
    if owner.user_id is not None:
        scope = owner.scope()
        items = await store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
        said = unlearned([one async for told in heard.told_in(scope) for one in told], items)
        for scope, counted in _tallied([*items, *(one.item for one in said)]).scopes.items():
            owner_counts.add(scope, counted)
        return owner_counts.entities()
    tenant = owner.whole_tenant()
    left: dict[str, Counted] = {}
    async for passages in heard.of_tenant(tenant):
        for one in (each for each in passages if each.is_told):
            # What the memories of its turn do not tell is no turn that they may tell.
            name = one.item.id if is_left(one.item) else one.turn_id
            _see(left.setdefault(name, Counted()), one.item)
    stored = await store.tally(tenant, turns=left.keys())
    told = [counts for turn, counts in left.items() if turn not in stored.told]
    for tally in (stored, *told):
        for scope, counted in tally.scopes.items():
            owner_counts.add(scope, counted)
    return owner_counts.entities()


def _tallied(items: Iterable[MemoryItem]) -> Counted:
    tally = Counted()
    for item in items:
        _see(tally, item)
    return tally


def _see(tally: Counted, item: MemoryItem) -> None:
    tally.see(item.scope, item.created_at, item.updated_at, (item.type, item.status))


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
