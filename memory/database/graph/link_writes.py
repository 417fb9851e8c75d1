"""Scripts that change the graph. What a memory says is replaced or dropped as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from ...model.graph import Entity, MemoryLinks, graph_owner
from ..rows import owner_key, scope_from
from ..scripts import Row, Script, SqlStatement
from .merge_ledger import drop_merges, forget_merges, keep_merges, regroup, together
from .pending_links import disturb
from .rows import entity_row, mention_rows, relation_rows

_SAID = ("graph_mentions", "graph_relations")
_ALL = (*_SAID, "graph_entities", "graph_merges", "graph_again")
_OF_MEMORIES = "tenant = :tenant AND memory_id IN :memories[]"
_KEEP_ENTITY = """
    INSERT INTO graph_entities
        (tenant, id, owner, user_id, agent_id, run_id, kind, created_at, root)
    VALUES (:tenant, :id, :owner, :user_id, :agent_id, :run_id, :kind, :created_at, :id)
    ON CONFLICT (tenant, id) DO UPDATE SET kind = excluded.kind, created_at = excluded.created_at
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
_SPOKEN = f"""
    SELECT DISTINCT entity_id, tenant, user_id, agent_id, run_id
    FROM graph_mentions WHERE {_OF_MEMORIES}
"""  # noqa: S608 - a constant
_SILENT = """
    SELECT e.id FROM graph_entities e WHERE e.tenant = :tenant AND e.id IN :ids[] AND NOT EXISTS (
        SELECT 1 FROM graph_mentions n WHERE n.tenant = e.tenant AND n.entity_id = e.id
    )
"""


def link(links: Sequence[MemoryLinks], entities: Sequence[Entity]) -> Script[frozenset[str]]:
    """Keep what these memories say, in place of what was kept of them, and new entities.

    In one transaction: entities that nothing speaks of any more go, with the merges that name
    them. Entities with known ids take the kind and `created_at` that are given. A memory's
    merge that is kept already stays as it is; one of two that were parted before is kept as
    undone.

    Returns the memories that were left as they were: they name an entity that is neither kept
    nor given, or is of another owner.
    """
    by_tenant: dict[str, dict[str, MemoryLinks]] = defaultdict(dict)
    for each in links:
        by_tenant[each.scope.tenant][each.memory_id] = each
    left: set[str] = set()
    for tenant, its in by_tenant.items():
        given = [entity for entity in entities if entity.owner.tenant == tenant]
        left |= yield from _link(tenant, its, given)
    return frozenset(left)


def unlink(tenant: str, memory_ids: Collection[str]) -> Script[None]:
    """Drop what these memories say, and what hung on them alone.

    Other memories may speak of somebody else without them.
    """
    spoken = yield from _clear(tenant, memory_ids)
    if not spoken:
        return
    touched = {str(row[0]) for row in spoken}
    touched |= yield from drop_merges(tenant, memory_ids)
    yield from _tidy(tenant, touched)
    for owner in sorted({graph_owner(scope_from(*row[1:])) for row in spoken}, key=str):
        yield from disturb(owner)


def unlink_all(tenant: str) -> Script[None]:
    """Drop everything of a tenant."""
    for table in _ALL:
        yield SqlStatement(f"DELETE FROM {table} WHERE tenant = :tenant", {"tenant": tenant})  # noqa: S608 - constants


def clear() -> Script[bool]:
    """Drop everything, of all tenants; whether there was anything."""
    everything = (*_ALL, "graph_notes")
    for table in everything:
        if (yield SqlStatement(f"SELECT 1 FROM {table} LIMIT 1")):  # noqa: S608 - constants
            break
    else:
        return False
    for table in everything:
        yield SqlStatement(f"DELETE FROM {table}")  # noqa: S608 - constants
    yield SqlStatement("UPDATE memories SET linked_version = 0 WHERE linked_version != 0")
    return True


def keep_note(name: str, value: str | None) -> Script[None]:
    """Keep it, or None of it: how far a rebuild got, and by which reader."""
    if value is None:
        yield SqlStatement("DELETE FROM graph_notes WHERE name = :name", {"name": name})
    else:
        yield SqlStatement(_KEEP_NOTE, {"name": name, "value": value})


def _link(
    tenant: str, links: dict[str, MemoryLinks], entities: Sequence[Entity]
) -> Script[set[str]]:
    names = {memory_id: _names(each) for memory_id, each in links.items()}
    wanted = {name for its in names.values() for name in its}
    there = yield from _there(tenant, {entity_id for _, entity_id in wanted})
    given = [row for row in map(entity_row, entities) if (row["owner"], row["id"]) in wanted]
    # One of somebody else stays as it is, and one that is there already needs no writing.
    new = [
        row
        for row in given
        if (was := there.get(row["id"])) is None
        or (was[0] == row["owner"] and tuple(was[1:]) != (row["kind"], row["created_at"]))
    ]
    if new:
        yield SqlStatement(_KEEP_ENTITY, many=new)
    known = {(was[0], entity_id) for entity_id, was in there.items()}
    known |= {(row["owner"], row["id"]) for row in new}
    kept = [each for memory_id, each in links.items() if names[memory_id] <= known]
    spoken = yield from _clear(tenant, [each.memory_id for each in kept])
    yield from _keep(kept)
    # Nothing hangs on a new one; but if a memory is left, nothing may speak of it.
    touched = {str(row["id"]) for row in new if row["id"] in there or len(kept) < len(links)}
    touched |= {str(row[0]) for row in spoken}
    if spoken or any(each.merges for each in kept):
        touched |= yield from keep_merges(tenant, kept)
    yield from _tidy(tenant, touched)
    return links.keys() - {each.memory_id for each in kept}


def _there(tenant: str, entity_ids: Collection[str]) -> Script[dict[Any, Row]]:
    """Owner, kind and moment of those among these entities that are there."""
    if not entity_ids:
        return {}
    rows = yield SqlStatement(
        "SELECT id, owner, kind, created_at FROM graph_entities "
        "WHERE tenant = :tenant AND id IN :ids[]",
        {"tenant": tenant, "ids": sorted(entity_ids)},
    )
    return {row[0]: row[1:] for row in rows}


def _names(links: MemoryLinks) -> set[tuple[Any, Any]]:
    owner = owner_key(graph_owner(links.scope))
    named = {mention.entity_id for mention in links.mentions}
    named.update(end for merge in links.merges for end in (merge.kept, merge.gone))
    return {(owner, entity_id) for entity_id in named}


def _clear(tenant: str, memory_ids: Collection[str]) -> Script[list[Row]]:
    """Drop what these memories say; returns the entities that they spoke of, and from where."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    found: list[Row] = (yield SqlStatement(_SPOKEN, values)) if values["memories"] else []
    for table in _SAID if found else ():
        yield SqlStatement(f"DELETE FROM {table} WHERE {_OF_MEMORIES}", values)  # noqa: S608 - constants
    return found


def _keep(links: Sequence[MemoryLinks]) -> Script[None]:
    if mentions := [row for each in links for row in mention_rows(each)]:
        yield SqlStatement(_KEEP_MENTION, many=mentions)
    if relations := [row for each in links for row in relation_rows(each)]:
        yield SqlStatement(_KEEP_RELATION, many=relations)


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
