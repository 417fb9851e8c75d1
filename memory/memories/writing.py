"""Scripts that write and remove memories, each with its lines in the log of changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..database.changes import ChangeKind, ChangeLine, add_lines, owner_of
from ..database.graph.link_writes import unlink, unlink_all
from ..database.scripts import Row, Script, SqlStatement
from ..model.types import MemoryStatus
from .citations import keep_grounds
from .row_conditions import RowConditions, of_tenant
from .rows import ITEM, WRITTEN

Written = Mapping[str, Any]
"""The values of one memory (`rows.values_of`)."""
_Key = tuple[str, str]
"""Tenant and id."""

MOST_IDS = 1_000
"""Of one line of the log."""
_SCOPE = ("tenant", "user_id", "agent_id", "run_id")
_NAMES = WRITTEN.split(", ")
_PLACE = ("user_id", "agent_id", "run_id", "created_at")
"""Whose names a memory is linked with, and after which other memories."""
_STAYS = " AND ".join(f"memories.{name} = excluded.{name}" for name in _PLACE)
_UPSERT = f"""
    INSERT INTO memories ({WRITTEN}) VALUES ({", ".join(f":{name}" for name in _NAMES)})
    ON CONFLICT (tenant, id) DO UPDATE SET
        {", ".join(f"{name} = excluded.{name}" for name in _NAMES if name not in {"tenant", "id"})},
        linked_version = CASE WHEN excluded.status = '{MemoryStatus.ACTIVE}' AND {_STAYS}
            THEN -abs(memories.linked_version) ELSE 0 END
"""  # noqa: S608 - constants
_FOUND = "position, id, user_id, agent_id, run_id, created_at, linked_version"
_FOUND_WIDTH = len(_FOUND.split(", "))
_WHERE = f"SELECT {_FOUND} FROM memories WHERE"  # noqa: S608 - constants
PUT_VECTOR = """
    INSERT INTO memory_vectors (position, embedder_id, vector)
    VALUES (:position, :embedder_id, :vector)
    ON CONFLICT (position, embedder_id) DO UPDATE SET vector = excluded.vector
"""
_OTHER_VECTORS = """
    DELETE FROM memory_vectors WHERE embedder_id != :embedder_id
    AND position IN (SELECT CAST(value AS BIGINT) FROM :positions[])
"""


def put(rows: Sequence[Written], embedder_id: str, writer: str = "") -> Script[None]:
    """Insert, or replace by tenant and id. A replaced memory keeps its position.

    It is to be linked anew. One that is not active any more, or has another place, loses its links.
    """
    keys = [(row["tenant"], row["id"]) for row in rows]
    before = yield from _found(keys)
    yield SqlStatement(_UPSERT, many=rows)
    now = before | (yield from _found([key for key in keys if key not in before]))
    vectors = [
        {
            "position": now[key][0],
            "embedder_id": embedder_id,
            "vector": row["vector"],
            "tenant": row["tenant"],
            "user_id": row["user_id"],
        }
        for key, row in zip(keys, rows, strict=True)
    ]
    yield SqlStatement(PUT_VECTOR, many=vectors)
    if before:
        # Of the texts that were there.
        old = [str(found[0]) for found in before.values()]
        yield SqlStatement(_OTHER_VECTORS, {"embedder_id": embedder_id, "positions": old})
    yield from _fall(
        (key[0], before[key])
        for key, row in zip(keys, rows, strict=True)
        if key in before and not _stays(before[key], row)
    )
    named = [(now[key][0], row["grounds"]) for key, row in zip(keys, rows, strict=True)]
    yield from keep_grounds(named, [found[0] for found in before.values()])
    put_in = {key: tuple(row[name] for name in _SCOPE) for key, row in zip(keys, rows, strict=True)}
    was_in = {key: (key[0], *found[2:5]) for key, found in before.items()}
    left = [(scope, before[key]) for key, scope in was_in.items() if scope != put_in[key]]
    came = [(scope, now[key]) for key, scope in put_in.items()]
    lines = [*_lines(ChangeKind.DELETE, left), *_lines(ChangeKind.PUT, came)]
    yield from add_lines(lines, writer)


def delete(tenant: str, ids: Iterable[str], writer: str = "") -> Script[list[Row]]:
    """Remove these memories of a tenant; returns `ITEM` of those that were there."""
    gone = yield from _remove(of_tenant(tenant, list(ids)), f"{_FOUND}, {ITEM}")
    yield from _fall((tenant, row) for row in gone)
    lines = _lines(ChangeKind.DELETE, [((tenant, *row[2:5]), row) for row in gone])
    yield from add_lines(lines, writer)
    return [row[_FOUND_WIDTH:] for row in gone]


def reset(tenant: str, writer: str = "") -> Script[None]:
    """Remove all memories of a tenant."""
    gone = yield from _remove(of_tenant(tenant))
    yield from unlink_all(tenant)
    lines = _lines(ChangeKind.RESET, [((tenant, "", "", ""), row) for row in gone])
    yield from add_lines(lines, writer)


def _stays(before: Row, row: Written) -> bool:
    """Whether the links of a row that is replaced stay until it is read again."""
    place = [row[name] for name in _PLACE]
    return row["status"] == MemoryStatus.ACTIVE and list(before[2:6]) == place


def _fall(rows: Iterable[tuple[str, Row]]) -> Script[None]:
    """Drop the links of these rows, each with its tenant, if they have any."""
    linked: dict[str, list[str]] = {}
    for tenant, row in rows:
        if row[6]:
            linked.setdefault(tenant, []).append(row[1])
    for tenant, ids in linked.items():
        yield from unlink(tenant, ids)


def _found(keys: Iterable[_Key]) -> Script[dict[_Key, Row]]:
    """`_FOUND` of those that are there, by tenant and id."""
    named: dict[str, list[str]] = {}
    for tenant, memory_id in keys:
        named.setdefault(tenant, []).append(memory_id)
    found: dict[_Key, Row] = {}
    for tenant, ids in named.items():
        asked = of_tenant(tenant, ids)
        rows = yield SqlStatement(f"{_WHERE} {asked.condition}", asked.values)
        found |= {(tenant, row[1]): row for row in rows}
    return found


def _remove(asked: RowConditions, told: str = _FOUND) -> Script[list[Row]]:
    for table in ("memory_vectors", "memory_grounds"):
        yield SqlStatement(
            f"""
            DELETE FROM {table} WHERE position IN
                (SELECT position FROM memories WHERE {asked.condition})
            """,  # noqa: S608 - values are apart
            asked.values,
        )
    gone: list[Row] = yield SqlStatement(
        f"""
        DELETE FROM memories WHERE {asked.condition}
        RETURNING {told}
        """,  # noqa: S608 - the same
        asked.values,
    )
    return gone


def _lines(kind: ChangeKind, changed: Iterable[tuple[tuple[str, ...], Row]]) -> list[ChangeLine]:
    """The lines of what changed in each scope."""
    of: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for scope, row in changed:
        of.setdefault(scope, []).append((row[0], row[1]))
    return [
        ChangeLine(kind, owner_of(*scope), named[start : start + MOST_IDS])
        for scope, named in of.items()
        for start in range(0, len(named), MOST_IDS)
    ]
