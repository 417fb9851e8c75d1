"""Tombstones of forgotten memories, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.types import OwnerRef, Scope
from ..whose import named
from .database import Database
from .rows import id_list


class SqliteTombstones:
    """`Tombstones` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def bury(self, tenant: str, memory_ids: Sequence[str]) -> None:
        await self._database.statement(
            "INSERT OR IGNORE INTO tombstones SELECT :tenant, value FROM json_each(:ids)",
            {"tenant": tenant, "ids": id_list(memory_ids)},
        )

    async def buried(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        rows = await self._database.statement(
            "SELECT memory_id FROM tombstones "
            "WHERE tenant = :tenant AND memory_id IN (SELECT value FROM json_each(:ids))",
            {"tenant": tenant, "ids": id_list(memory_ids)},
        )
        return {memory_id for (memory_id,) in rows}

    async def close_scope(self, whose: OwnerRef) -> None:
        await self._database.statement(
            "INSERT INTO closed_scopes VALUES (:tenant, :user_id, :agent_id, :run_id, 1) "
            "ON CONFLICT DO UPDATE SET closed = closed + 1",
            _columns(whose),
        )

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        # Counts only grow, so their sum changes whenever one of them does.
        [(total,)] = await self._database.statement(
            "SELECT coalesce(sum(closed), 0) FROM closed_scopes WHERE tenant = :tenant "
            "AND user_id IN ('', :user_id) AND agent_id IN ('', :agent_id) "
            "AND run_id IN ('', :run_id)",
            _columns(scope),
        )
        return (total,)


def _columns(whose: OwnerRef) -> dict[str, str]:
    return {"user_id": "", "agent_id": "", "run_id": "", **named(whose)}
