"""Scripts about who is one and the same: the ledger of merges, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from ...model.errors import NotFoundError
from ...model.graph import EntityMerge, MemoryLinks
from ...model.times import to_ms
from ..rows import owner_key
from ..scripts import Script, SqlStatement
from .merge_roots import roots
from .pending_links import disturb
from .rows import MERGE, merge_from, merge_row, merge_rows

PERSON = "person"
"""Who may join again what was parted (`EntityMerge.by`)."""

_KEEP = """
    INSERT INTO graph_merges (tenant, id, user_id, agent_id, run_id, kept, gone, at, by_whom,
        memory_id, score, undone_at)
    VALUES (:tenant, :id, :user_id, :agent_id, :run_id, :kept, :gone, :at, :by_whom, :memory_id,
        :score, :undone_at)
    ON CONFLICT (tenant, id) DO NOTHING
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
    SELECT kept, gone, MAX(undone_at) FROM graph_merges
    WHERE tenant = :tenant AND undone_at IS NOT NULL AND kept IN :ids[] GROUP BY kept, gone
"""
_UNDO = """
    UPDATE graph_merges SET undone_at = :at WHERE tenant = :tenant AND undone_at IS NULL
    AND ((kept = :kept AND gone = :gone) OR (kept = :gone AND gone = :kept))
"""
_OF_MEMORIES = "tenant = :tenant AND memory_id IN :memories[]"
_PAIR = ("kept", "gone")
_ENTRY = "tenant = :tenant AND id = :id"


def merge(merge: EntityMerge) -> Script[bool]:
    """Note that two entities are one; False if they are already.

    Also False if this entry is there already, or if the two were parted before and it is not a
    person who joins them again. It stays as long as both are spoken of, and disturbs the owner.

    Raises:
        NotFoundError: the owner has no such entity.
    """
    tenant, ends = merge.owner.tenant, [merge.kept, merge.gone]
    row = merge_row(merge)
    found = yield SqlStatement(
        "SELECT id, root FROM graph_entities "
        "WHERE tenant = :tenant AND owner = :owner AND id IN :ids[]",
        {"tenant": tenant, "owner": owner_key(merge.owner), "ids": ends},
    )
    root = {str(entity_id): str(its) for entity_id, its in found}
    if not root.keys() >= set(ends):
        raise NotFoundError("the owner has no such entity")
    if root[merge.kept] == root[merge.gone]:
        return False
    if merge.by != PERSON and frozenset(ends) in (yield from _parted(tenant, ends)):
        return False
    if (yield from _entry(tenant, merge.id)) is not None:
        return False
    yield SqlStatement(_KEEP, row)
    yield from regroup(tenant, (yield from together(tenant, ends)))
    yield from disturb(merge.owner)
    return True


def undo_merge(tenant: str, merge_id: str, *, at: datetime) -> Script[EntityMerge | None]:
    """Part them again: this entry and all others of the same two are undone.

    They stay one if other merges lead from one to the other. None if there is no such entry, or
    it was undone before.
    """
    entry = yield from _entry(tenant, merge_id)
    if entry is None or entry.undone_at is not None:
        return None
    ends = {"kept": entry.kept, "gone": entry.gone}
    yield SqlStatement(_UNDO, {"tenant": tenant, "at": to_ms(at), **ends})
    yield from regroup(tenant, (yield from together(tenant, [entry.kept, entry.gone])))
    yield from disturb(entry.owner)
    return (yield from _entry(tenant, merge_id))


def keep_merges(tenant: str, links: Sequence[MemoryLinks]) -> Script[set[str]]:
    """Keep the merges that these memories say in place of what they said; returns the ends.

    A merge that is there already stays as it is, also undone.
    """
    memories = [each.memory_id for each in links]
    rows = [row for each in links for row in merge_rows(each)]
    parted = yield from _parted(tenant, (str(row[end]) for row in rows for end in _PAIR))
    ends = yield from drop_merges(tenant, memories, but={str(row["id"]) for row in rows})
    for row in rows:
        row["undone_at"] = parted.get(frozenset({str(row["kept"]), str(row["gone"])}))
    yield SqlStatement(_KEEP, many=rows)
    return ends | {str(row[end]) for row in rows for end in _PAIR}


def drop_merges(
    tenant: str, memory_ids: Collection[str], *, but: Collection[str] = ()
) -> Script[set[str]]:
    """Drop the merges that these memories say, but those with some ids; returns the ends."""
    values = {"tenant": tenant, "memories": list(memory_ids), "but": sorted(but)}
    where = f"{_OF_MEMORIES} AND NOT (id IN :but[])"
    found = yield SqlStatement(f"SELECT kept, gone FROM graph_merges WHERE {where}", values)  # noqa: S608 - a constant
    if found:
        yield SqlStatement(f"DELETE FROM graph_merges WHERE {where}", values)  # noqa: S608 - a constant
    return {str(end) for ends in found for end in ends}


def together(tenant: str, entity_ids: Collection[str]) -> Script[list[str]]:
    """All that are one with any of these, and these."""
    rows = yield SqlStatement(_TOGETHER, {"tenant": tenant, "ids": sorted(entity_ids)})
    return [str(entity_id) for (entity_id,) in rows]


def forget_merges(tenant: str, entity_ids: Collection[str]) -> Script[None]:
    """Drop all entries that name one of these."""
    values = {"tenant": tenant, "ids": sorted(entity_ids)}
    for end in _PAIR:
        sql = f"DELETE FROM graph_merges WHERE tenant = :tenant AND {end} IN :ids[]"  # noqa: S608 - constants
        yield SqlStatement(sql, values)


def regroup(tenant: str, entity_ids: Sequence[str]) -> Script[None]:
    """Say anew what these are seen as; all that is one with any of them is among them."""
    if not entity_ids:
        return
    values = {"tenant": tenant, "ids": list(entity_ids)}
    standing = yield SqlStatement(_STANDING, values)
    rows = yield SqlStatement(
        "SELECT id, created_at, root FROM graph_entities WHERE tenant = :tenant AND id IN :ids[]",
        values,
    )
    created = {str(entity_id): int(us) for entity_id, us, _ in rows}
    seen_as = roots(created, ((str(kept), str(gone)) for kept, gone in standing))
    changed = [
        {"tenant": tenant, "id": str(entity_id), "root": seen_as[entity_id]}
        for entity_id, _, root in rows
        if seen_as[entity_id] != root
    ]
    sql = "UPDATE graph_entities SET root = :root WHERE tenant = :tenant AND id = :id"
    yield SqlStatement(sql, many=changed)


def _parted(tenant: str, kept: Iterable[str]) -> Script[dict[frozenset[str], int]]:
    """Pairs that were undone, of entries that keep one of these, and when (ms)."""
    values = {"tenant": tenant, "ids": sorted(set(kept))}
    if not values["ids"]:
        return {}
    rows = yield SqlStatement(_PARTED, values)
    return {frozenset({str(one), str(other)}): int(at) for one, other, at in rows}


def _entry(tenant: str, merge_id: str) -> Script[EntityMerge | None]:
    sql = f"SELECT {MERGE} FROM graph_merges WHERE {_ENTRY}"  # noqa: S608 - constants
    rows = yield SqlStatement(sql, {"tenant": tenant, "id": merge_id})
    return merge_from(rows[0]) if rows else None
