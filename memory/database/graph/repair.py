"""A script that drops what hangs in the air after a damaged file was saved in part."""

from __future__ import annotations

from ..scripts import Script, SqlStatement
from .counts import ENDS, NO_ENTITY
from .merge_ledger import regroup

_SPOKEN = (
    "EXISTS (SELECT 1 FROM graph_mentions n WHERE n.tenant = graph_entities.tenant "
    "AND n.entity_id = graph_entities.id)"
)


def sweep() -> Script[None]:
    """Drop mentions, relations and merges of what is not there, and what nothing speaks of."""
    yield SqlStatement(f"DELETE FROM graph_entities WHERE NOT {_SPOKEN}")  # noqa: S608 - a constant
    for table, column in ENDS:
        gone = NO_ENTITY.format(table=table, column=column)
        yield SqlStatement(f"DELETE FROM {table} WHERE {gone}")  # noqa: S608 - constants
    rows = yield SqlStatement("SELECT DISTINCT tenant FROM graph_entities ORDER BY tenant")
    for (tenant,) in rows:
        sql = "SELECT id FROM graph_entities WHERE tenant = :tenant"
        found = yield SqlStatement(sql, {"tenant": tenant})
        yield from regroup(str(tenant), [str(entity_id) for (entity_id,) in found])


def noteless() -> Script[bool]:
    """Whether nothing was noted: the graph is new, or was saved from a damaged file."""
    rows = yield SqlStatement("SELECT 1 FROM graph_notes LIMIT 1")
    return not rows
