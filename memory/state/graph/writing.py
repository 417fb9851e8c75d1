"""Scripts that change the graph. What a memory says is replaced or dropped as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...model.errors import NotFoundError
from ...model.graph import Entity, EntityMerge, MemoryLinks, graph_owner
from ...model.types import OwnerRef, Scope
from ..scripts import Script, Statement
from .merging import roots
from .rows import (
    MERGE,
    entity_row,
    mention_rows,
    merge_from,
    merge_row,
    owner_key,
    relation_rows,
    scope_columns,
    seeing,
    seen,
)

PERSON = "person"
"""Who may join again what was parted (`EntityMerge.by`)."""

_SAID = ("graph_mentions", "graph_relations", "graph_memories")
_OF_MEMORIES = "tenant = :tenant AND memory_id IN :memories[]"
_KEEP_ENTITY = """
    INSERT INTO graph_entities
        (tenant, id, owner, user_id, agent_id, run_id, kind, created_at, root)
    VALUES (:tenant, :id, :owner, :user_id, :agent_id, :run_id, :kind, :created_at, :id)
    ON CONFLICT DO NOTHING
"""
_KEEP_MEMORY = """
    INSERT INTO graph_memories (tenant, memory_id, user_id, agent_id, run_id, version)
    VALUES (:tenant, :memory_id, :user_id, :agent_id, :run_id, :version)
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
_KEEP_MERGE = """
    INSERT INTO graph_merges (tenant, id, user_id, agent_id, run_id, kept, gone, at, by_whom, score)
    VALUES (:tenant, :id, :user_id, :agent_id, :run_id, :kept, :gone, :at, :by_whom, :score)
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
_TOGETHER = """
    SELECT id FROM graph_entities WHERE tenant = :tenant AND root IN (
        SELECT root FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]
    ) ORDER BY id
"""
_STANDING = """
    SELECT kept, gone FROM graph_merges
    WHERE tenant = :tenant AND undone_at IS NULL AND kept IN :ids[] ORDER BY position
"""
_PARTED = """
    SELECT 1 FROM graph_merges WHERE tenant = :tenant AND (id = :id OR (:by_whom <> :person
        AND undone_at IS NOT NULL AND kept IN :ids[] AND gone IN :ids[]))
"""


def mark(memories: Mapping[str, Scope], number: int) -> Script[int]:
    """Note that these are about to change."""
    rows = [
        {**scope_columns(scope), "memory_id": memory_id, "number": number}
        for memory_id, scope in memories.items()
    ]
    yield Statement(_MARK, many=rows)
    return number


def link(
    links: Sequence[MemoryLinks], entities: Sequence[Entity], marks: Collection[int] | None
) -> Script[frozenset[str]]:
    """Keep what these memories say; returns those that name an entity that is not there."""
    by_tenant: dict[str, dict[str, MemoryLinks]] = defaultdict(dict)
    for each in links:
        by_tenant[each.scope.tenant][each.memory_id] = each
    given = [entity for entity in entities if entity.owner.tenant in by_tenant]
    yield Statement(_KEEP_ENTITY, many=[entity_row(entity) for entity in given])
    left: set[str] = set()
    for tenant, its in by_tenant.items():
        there = yield from _there(tenant, its.values())
        kept = [each for each in its.values() if _names(each) <= there]
        left |= its.keys() - {each.memory_id for each in kept}
        ids = [each.memory_id for each in kept]
        touched = yield from _clear(tenant, ids)
        yield from _keep(kept)
        yield from _settle(tenant, ids, marks)
        touched |= {entity.id for entity in given if entity.owner.tenant == tenant}
        yield from _tidy(tenant, touched)
    return frozenset(left)


def unlink(tenant: str, memory_ids: Collection[str], marks: Collection[int] | None) -> Script[int]:
    """Drop what these memories say, and what hung on them alone."""
    count = Statement(
        f"SELECT count(*) FROM graph_memories WHERE {_OF_MEMORIES}",  # noqa: S608 - a constant
        {"tenant": tenant, "memories": list(memory_ids)},
    )
    [(dropped,)] = yield count
    touched = yield from _clear(tenant, memory_ids)
    yield from _settle(tenant, memory_ids, marks)
    yield from _tidy(tenant, touched)
    return int(dropped)


def erase(owner_ref: OwnerRef) -> Script[int]:
    """Drop all that the memories of an owner say."""
    values = seeing(owner_ref)
    found = yield Statement(
        "SELECT DISTINCT entity_id FROM graph_mentions n WHERE "  # noqa: S608 - see `seen`
        f"{seen(owner_ref, 'n', by_user=True)}",
        values,
    )
    [(dropped,)] = yield Statement(
        "SELECT count(*) FROM graph_memories m WHERE "  # noqa: S608 - see `seen`
        f"{seen(owner_ref, 'm', by_user=True)}",
        values,
    )
    for table in (*_SAID, "graph_marks"):
        where = seen(owner_ref, table, by_user=True)
        yield Statement(f"DELETE FROM {table} WHERE {where}", values)  # noqa: S608 - see `seen`
    tenant = owner_ref if isinstance(owner_ref, str) else owner_ref.tenant
    yield from _tidy(tenant, {str(entity_id) for (entity_id,) in found})
    return int(dropped)


def merge(entry: EntityMerge) -> Script[bool]:
    """Join two entities. Raises NotFoundError."""
    row = merge_row(entry)
    ends = [entry.kept, entry.gone]
    values = {**row, "ids": ends, "person": PERSON, "owner": owner_key(entry.owner)}
    found = yield Statement(
        "SELECT id, root FROM graph_entities "
        "WHERE tenant = :tenant AND owner = :owner AND id IN :ids[]",
        values,
    )
    root = {str(entity_id): str(its) for entity_id, its in found}
    if not root.keys() >= set(ends):
        raise NotFoundError("the owner has no such entity")
    if root[entry.kept] == root[entry.gone] or (yield Statement(_PARTED, values)):
        return False
    yield Statement(_KEEP_MERGE, row)
    yield Statement(
        "UPDATE graph_entities SET root = :kept WHERE tenant = :tenant AND root = :gone",
        {"tenant": entry.owner.tenant, "kept": root[entry.kept], "gone": root[entry.gone]},
    )
    return True


def undo(tenant: str, merge_id: str, at_ms: int) -> Script[EntityMerge | None]:
    """Part what an entry of the ledger joined."""
    values = {"tenant": tenant, "id": merge_id, "at": at_ms}
    where = "tenant = :tenant AND id = :id"
    found = yield Statement(f"SELECT {MERGE} FROM graph_merges WHERE {where}", values)  # noqa: S608 - constants
    if not found or merge_from(found[0]).undone_at is not None:
        return None
    yield Statement(f"UPDATE graph_merges SET undone_at = :at WHERE {where}", values)  # noqa: S608 - a constant
    [row] = yield Statement(f"SELECT {MERGE} FROM graph_merges WHERE {where}", values)  # noqa: S608 - constants
    undone = merge_from(row)
    yield from _regroup(tenant, (yield from _together(tenant, [undone.kept])))
    return undone


def _there(tenant: str, links: Iterable[MemoryLinks]) -> Script[set[tuple[str, str]]]:
    """The entities among those that these name, each with its owner."""
    wanted = {mention.entity_id for each in links for mention in each.mentions}
    rows = yield Statement(
        "SELECT owner, id FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]",
        {"tenant": tenant, "ids": sorted(wanted)},
    )
    return {(str(owner), str(entity_id)) for owner, entity_id in rows}


def _names(links: MemoryLinks) -> set[tuple[str, str]]:
    owner = owner_key(graph_owner(links.scope))
    return {(owner, mention.entity_id) for mention in links.mentions}


def _clear(tenant: str, memory_ids: Collection[str]) -> Script[set[str]]:
    """Drop what these memories say; returns the entities that they spoke of."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    found = yield Statement(
        f"SELECT DISTINCT entity_id FROM graph_mentions WHERE {_OF_MEMORIES}",  # noqa: S608 - a constant
        values,
    )
    for table in _SAID:
        yield Statement(f"DELETE FROM {table} WHERE {_OF_MEMORIES}", values)  # noqa: S608 - constants
    return {str(entity_id) for (entity_id,) in found}


def _keep(links: Sequence[MemoryLinks]) -> Script[None]:
    memories = [
        {**scope_columns(each.scope), "memory_id": each.memory_id, "version": each.version}
        for each in links
    ]
    yield Statement(_KEEP_MEMORY, many=memories)
    yield Statement(_KEEP_MENTION, many=[row for each in links for row in mention_rows(each)])
    yield Statement(_KEEP_RELATION, many=[row for each in links for row in relation_rows(each)])


def _settle(
    tenant: str, memory_ids: Collection[str], marks: Collection[int] | None
) -> Script[None]:
    """Remove the marks of these memories: those with these numbers, or all."""
    values = {"tenant": tenant, "memories": list(memory_ids)}
    where = f"DELETE FROM graph_marks WHERE {_OF_MEMORIES}"  # noqa: S608 - a constant
    if marks is None:
        yield Statement(where, values)
    else:
        numbered = [{**values, "number": number} for number in marks]
        yield Statement(f"{where} AND number = :number", many=numbered)


def _tidy(tenant: str, entity_ids: Collection[str]) -> Script[None]:
    """Drop those among these entities that nothing speaks of, and part what they held together."""
    values = {"tenant": tenant, "ids": sorted(entity_ids)}
    silent = {str(entity_id) for (entity_id,) in (yield Statement(_SILENT, values))}
    if not silent:
        return
    together = yield from _together(tenant, silent)
    values = {"tenant": tenant, "ids": sorted(silent)}
    for statement in (
        "DELETE FROM graph_merges WHERE tenant = :tenant AND kept IN :ids[]",
        "DELETE FROM graph_merges WHERE tenant = :tenant AND gone IN :ids[]",
        "DELETE FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]",
    ):
        yield Statement(statement, values)
    yield from _regroup(tenant, [each for each in together if each not in silent])


def _together(tenant: str, entity_ids: Collection[str]) -> Script[list[str]]:
    """All that are one with any of these, and these."""
    rows = yield Statement(_TOGETHER, {"tenant": tenant, "ids": sorted(entity_ids)})
    return [str(entity_id) for (entity_id,) in rows]


def _regroup(tenant: str, entity_ids: Sequence[str]) -> Script[None]:
    """Say anew what these are seen as; all that is one with any of them is among them."""
    if not entity_ids:
        return
    merges = yield Statement(_STANDING, {"tenant": tenant, "ids": list(entity_ids)})
    seen_as = roots(entity_ids, ((str(kept), str(gone)) for kept, gone in merges))
    rows = [{"tenant": tenant, "id": each, "root": root} for each, root in seen_as.items()]
    sql = "UPDATE graph_entities SET root = :root WHERE tenant = :tenant AND id = :id"
    yield Statement(sql, many=rows)
