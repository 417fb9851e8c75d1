"""Scripts that count what the graph holds, and what must never be in it."""

from __future__ import annotations

from ...model.types import OwnerRef
from ..rows import named
from ..scripts import Script, SqlStatement
from .pending_links import unlinked
from .rows import seeing, seen

NO_ENTITY = (
    "NOT EXISTS (SELECT 1 FROM graph_entities e WHERE e.tenant = {table}.tenant "
    "AND e.id = {table}.{column})"
)
ENDS = (
    ("graph_mentions", "entity_id"),
    ("graph_relations", "source"),
    ("graph_relations", "target"),
    ("graph_merges", "kept"),
    ("graph_merges", "gone"),
)
_SILENT = (
    "SELECT count(*) FROM graph_entities o WHERE {where} AND NOT EXISTS (SELECT 1 "
    "FROM graph_mentions n WHERE n.tenant = o.tenant AND n.entity_id = o.id)"
)


def counts(owner_ref: OwnerRef | None = None) -> Script[dict[str, int]]:
    """``entities``, ``mentions``, ``relations``, ``merges``, ``stale``, ``marks``, ``orphans``.

    Stale are the memories that are to be linked; marks are these and the owners of whom all
    memories are.

    An orphan is an entity without a mention, a mention or a relation with an end that is not
    there, or a merge of such: always 0.
    """
    found = {}
    for name, table in (
        ("mentions", "graph_mentions"),
        ("relations", "graph_relations"),
        ("marks", "graph_again"),
    ):
        sql = f"SELECT count(*) FROM {table} o WHERE"  # noqa: S608 - constants
        found[name] = yield from _count(sql, owner_ref)
    found["stale"] = yield from unlinked(owner_ref)
    found["marks"] += found["stale"]
    sql = (
        "SELECT count(*) FROM (SELECT DISTINCT e.tenant, e.root FROM graph_mentions o "
        "JOIN graph_entities e ON e.tenant = o.tenant AND e.id = o.entity_id WHERE"
    )
    found["entities"] = yield from _count(sql, owner_ref, ") AS seen")
    whose = {} if owner_ref is None else named(owner_ref)
    where = "".join(f" AND {column} = :{column}" for column in whose)
    sql = f"SELECT count(*) FROM graph_merges WHERE undone_at IS NULL{where}"  # noqa: S608 - columns are ours
    [(merges,)] = yield SqlStatement(sql, whose)
    found["merges"] = int(merges)
    found["orphans"] = yield from _orphans(owner_ref)
    return found


def _count(sql: str, owner_ref: OwnerRef | None, end: str = "") -> Script[int]:
    where = "1 = 1" if owner_ref is None else seen(owner_ref, "o", by_user=True)
    values = {} if owner_ref is None else seeing(owner_ref)
    [(count,)] = yield SqlStatement(f"{sql} {where}{end}", values)
    return int(count)


def _orphans(owner_ref: OwnerRef | None) -> Script[int]:
    """Of a whole tenant: what hangs on nothing is of no narrower scope."""
    values = {} if owner_ref is None else {"tenant": named(owner_ref)["tenant"]}
    where = "1 = 1" if owner_ref is None else "o.tenant = :tenant"
    [(total,)] = yield SqlStatement(_SILENT.format(where=where), values)
    for table, column in (*ENDS, ("graph_entities", "root")):
        lost = NO_ENTITY.format(table="o", column=column)
        sql = f"SELECT count(*) FROM {table} o WHERE {where} AND {lost}"  # noqa: S608 - constants
        [(count,)] = yield SqlStatement(sql, values)
        total += count
    return int(total)
