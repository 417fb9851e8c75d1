"""Indexes what memories cite, so that a cascade is found without reading all of a scope."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..database.scripts import Script, SqlStatement
from ..index.digests import digest
from ..model.types import MemoryItem

_ADD = "INSERT INTO memory_grounds VALUES (:ground, :position) ON CONFLICT DO NOTHING"
_DROP = """
    DELETE FROM memory_grounds WHERE position IN (SELECT CAST(value AS BIGINT) FROM :positions[])
"""
RESTING = """
    position IN (SELECT position FROM memory_grounds
        WHERE ground IN (SELECT CAST(value AS BIGINT) FROM :grounds[]))
"""
"""The rows that name one of these digests."""


def grounds_of(item: MemoryItem) -> list[str]:
    """The digests of what a memory names. Pure."""
    origin, tenant = item.provenance, item.scope.tenant
    named = [*origin.cites, *filter(None, (origin.superseded_by, origin.archived_for))]
    return digests(tenant, named, origin.turn_ids)


def digests(tenant: str, memory_ids: Iterable[str], turn_ids: Iterable[str]) -> list[str]:
    """The digests under which memories and turns of a tenant are named, as texts. Pure."""
    memories = [digest("memory", tenant, each) for each in memory_ids]
    return list(map(str, [*memories, *(digest("turn", tenant, each) for each in turn_ids)]))


def keep_grounds(
    rows: Iterable[tuple[int, Sequence[str]]], replaced: Collection[int]
) -> Script[None]:
    """Keep what rows name, by their positions; of `replaced` ones in place of what they named."""
    if replaced:
        yield SqlStatement(_DROP, {"positions": list(map(str, replaced))})
    named = [{"ground": int(each), "position": at} for at, grounds in rows for each in grounds]
    if named:
        yield SqlStatement(_ADD, many=named)
