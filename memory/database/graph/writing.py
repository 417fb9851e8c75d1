"""Scripts that change the graph. What a memory says is replaced or dropped as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...model.graph import Entity, MemoryLinks, graph_owner
from ...model.owner import owning_tenant
from ...model.types import OwnerRef, Scope
from ..rows import owner_key, scope_columns
from ..scripts import Script, SqlStatement
from .ledger import drop_merges, forget_merges, keep_merges, regroup, together
from .rows import (
    entity_row,
    memory_row,
    mention_rows,
    relation_rows,
    seeing,
    seen,
)

_SAID = ("graph_mentions", "graph_relations", "graph_memories")
_OF_MEMORIES = "tenant = :tenant AND memory_id IN :memories[]"
_KEEP_ENTITY = """
    INSERT INTO graph_entities
        (tenant, id, owner, user_id, agent_id, run_id, kind, created_at, root)
    VALUES (:tenant, :id, :owner, :user_id, :agent_id, :run_id, :kind, :created_at, :id)
    ON CONFLICT (tenant, id) DO UPDATE SET kind = excluded.kind, created_at = excluded.created_at
    WHERE graph_entities.owner = excluded.owner
"""
_KEEP_MEMORY = """
    INSERT INTO graph_memories
        (tenant, memory_id, user_id, agent_id, run_id, owner, version, created_at)
    VALUES (:tenant, :memory_id, :user_id, :agent_id, :run_id, :owner, :version, :created_at)
"""
_KEEP_MENTION = """
    INSERT INTO graph_mentions (tenant, memory_id, number, user_id, agent_id, run_id, owner,
        entity_id, surface, key, key_start)
    VALUES (:tenant, :memory_id, :number, :user_id, :agent_id, :run_id, :owner, :entity_id,
        :surface, :key, :key_start)
"""
_KEEP_RELATION = """
    INSERT INTO graph_relations (tenant, memory_id, number, user_id, agent_id, run_id, source,
        relation, target, quote)
    VALUES (:tenant, :memory_id, :number, :user_id, :agent_id, :run_id, :source, :relation,
        :target, :quote)
"""
_KEEP_NOTE = """
    INSERT INTO graph_notes (name, value) VALUES (:name, :value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
_MARK = """
    INSERT INTO graph_marks (number, tenant, memory_id, user_id, agent_id, run_id)
    VALUES (:number, :tenant, :memory_id, :user_id, :agent_id, :run_id)
"""
_SILENT = """
    SELECT e.id FROM graph_entities e WHERE e.tenant = :tenant AND e.id IN :ids[] AND NOT EXISTS (
        SELECT 1 FROM graph_mentions n WHERE n.tenant = e.tenant AND n.entity_id = e.id
    )
"""


def mark(memories: Mapping[str, Scope], number: int) -> Script[int]:
    """Note that these are about to change."""
    rows = [
        {**scope_columns(scope), "memory_id": memory_id, "number": number}
        for memory_id, scope in memories.items()
    ]
    yield SqlStatement(_MARK, many=rows)
    return number


def link(
    links: Sequence[MemoryLinks], entities: Sequence[Entity], marks: Collection[int] | None
) -> Script[frozenset[str]]:
    """Keep what these memories say; returns those that name an entity that is not there."""
    by_tenant: dict[str, dict[str, MemoryLinks]] = defaultdict(dict)
    for each in links:
        by_tenant[each.scope.tenant][each.memory_id] = each
    given = [entity for entity in entities if entity.owner.tenant in by_tenant]
    yield SqlStatement(_KEEP_ENTITY, many=[entity_row(entity) for entity in given])
    left: set[str] = set()
    for tenant, its in by_tenant.items():
        there = yield from _there(tenant, its.values())
        kept = [each for each in its.values() if _names(each) <= there]
        left |= its.keys() - {each.memory_id for each in kept}
        ids = [each.memory_id for each in kept]
        touched = yield from _clear(tenant, ids)
        yield from _keep(kept)
        touched |= yield from keep_merges(tenant, kept)
        yield from _settle(tenant, ids, marks)
        touched |= {entity.id for entity in given if entity.owner.tenant == tenant}
        yield from _tidy(tenant, touched)
    return frozenset(left)


def unlink(tenant: str, memory_ids: Collection[str], marks: Collection[int] | None) -> Script[int]:
    """Drop what these memories say, and what hung on them alone."""
    count = SqlStatement(
        f"SELECT count(*) FROM graph_memories WHERE {_OF_MEMORIES}",  # noqa: S608 - a constant
        {"tenant": tenant, "memories": list(memory_ids)},
    )
    [(dropped,)] = yield count
    touched = yield from _clear(tenant, memory_ids)
    touched |= yield from drop_merges(tenant, memory_ids)
    yield from _settle(tenant, memory_ids, marks)
    yield from _tidy(tenant, touched)
    return int(dropped)


def erase(owner_ref: OwnerRef) -> Script[int]:
    """Drop all that the memories of an owner say, and their marks."""
    where, values = seen(owner_ref, "m", by_user=True), seeing(owner_ref)
    sql = f"SELECT m.memory_id FROM graph_memories m WHERE {where}"  # noqa: S608 - see `seen`
    memories = [str(memory_id) for (memory_id,) in (yield SqlStatement(sql, values))]
    dropped = yield from unlink(owning_tenant(owner_ref), memories, None)
    where = seen(owner_ref, "graph_marks", by_user=True)
    yield SqlStatement(f"DELETE FROM graph_marks WHERE {where}", values)  # noqa: S608 - see `seen`
    return dropped


_ALL = (*_SAID, "graph_entities", "graph_merges", "graph_marks", "graph_notes")


def clear() -> Script[bool]:
    """Drop everything, of all tenants; whether there was anything."""
    for table in _ALL:
        if (yield SqlStatement(f"SELECT 1 FROM {table} LIMIT 1")):  # noqa: S608 - constants
            break
    else:
        return False
    for table in _ALL:
        yield SqlStatement(f"DELETE FROM {table}")  # noqa: S608 - constants
    return True


def keep_note(name: str, value: str | None) -> Script[None]:
    """Keep it, or None of it."""
    if value is None:
        yield SqlStatement("DELETE FROM graph_notes WHERE name = :name", {"name": name})
    else:
        yield SqlStatement(_KEEP_NOTE, {"name": name, "value": value})


def _there(tenant: str, links: Iterable[MemoryLinks]) -> Script[set[tuple[str, str]]]:
    """The entities among those that these name, each with its owner."""
    wanted = {entity_id for each in links for _, entity_id in _names(each)}
    rows = yield SqlStatement(
        "SELECT owner, id FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]",
        {"tenant": tenant, "ids": sorted(wanted)},
    )
    return {(str(owner), str(entity_id)) for owner, entity_id in rows}


def _names(links: MemoryLinks) -> set[tuple[str, str]]:
    owner = owner_key(graph_owner(links.scope))
    named = {mention.entity_id for mention in links.mentions}
    named.update(end for merge in links.merges for end in (merge.kept, merge.gone))
    return {(owner, entity_id) for entity_id in named}


def _clear(tenant: str, memory_ids: Collection[str]) -> Script[set[str]]:
    """Drop what these memories say; returns the entities that they spoke of."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    found = yield SqlStatement(
        f"SELECT DISTINCT entity_id FROM graph_mentions WHERE {_OF_MEMORIES}",  # noqa: S608 - a constant
        values,
    )
    for table in _SAID:
        yield SqlStatement(f"DELETE FROM {table} WHERE {_OF_MEMORIES}", values)  # noqa: S608 - constants
    return {str(entity_id) for (entity_id,) in found}


def _keep(links: Sequence[MemoryLinks]) -> Script[None]:
    yield SqlStatement(_KEEP_MEMORY, many=[memory_row(each) for each in links])
    yield SqlStatement(_KEEP_MENTION, many=[row for each in links for row in mention_rows(each)])
    yield SqlStatement(_KEEP_RELATION, many=[row for each in links for row in relation_rows(each)])


def _settle(
    tenant: str, memory_ids: Collection[str], marks: Collection[int] | None
) -> Script[None]:
    """Remove the marks of these memories: those with these numbers, or all."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    where = f"DELETE FROM graph_marks WHERE {_OF_MEMORIES}"  # noqa: S608 - a constant
    if marks is None:
        yield SqlStatement(where, values)
    else:
        numbered = [{**values, "number": number} for number in marks]
        yield SqlStatement(f"{where} AND number = :number", many=numbered)


def _tidy(tenant: str, entity_ids: Collection[str]) -> Script[None]:
    """Drop those among these entities that nothing speaks of; say anew which others are one."""
    if not entity_ids:
        return
    group = yield from together(tenant, entity_ids)
    values = {"tenant": tenant, "ids": sorted(entity_ids)}
    silent = {str(entity_id) for (entity_id,) in (yield SqlStatement(_SILENT, values))}
    if silent:
        yield from forget_merges(tenant, silent)
        sql = "DELETE FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]"
        yield SqlStatement(sql, {"tenant": tenant, "ids": sorted(silent)})
    yield from regroup(tenant, [each for each in group if each not in silent])
