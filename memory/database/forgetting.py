"""What was forgotten, and what waits for a user's answer to be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..model.times import to_ms
from ..model.types import OwnerRef, Scope
from .rows import filled, owner_key
from .scripts import Script, SqlStatement
from .sql_part import SqlPart

# "WHERE true": else SQLite takes ON for that of a join.
_BURY = """
    INSERT INTO tombstones SELECT :tenant, value FROM :ids[] WHERE true ON CONFLICT DO NOTHING
"""
_AMONG = "SELECT memory_id FROM tombstones WHERE tenant = :tenant AND memory_id IN :ids[]"
_CLOSE = """
    INSERT INTO closed_scopes VALUES (:owner, :tenant, :user_id, :agent_id, :run_id, 1)
    ON CONFLICT (owner) DO UPDATE SET closed = closed_scopes.closed + 1
"""
# Counts only grow, so their sum changes whenever one of them does.
_EPOCH = """
    SELECT coalesce(sum(closed), 0) FROM closed_scopes WHERE tenant = :tenant
    AND user_id IN ('', :user_id) AND agent_id IN ('', :agent_id) AND run_id IN ('', :run_id)
"""


class SqlTombstones(SqlPart):
    """What was forgotten, so that work in progress does not bring it back. Ids only."""

    async def add(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Forbid writing these memories again; durable when it returns."""
        await self.scripts.statement(_BURY, {"tenant": tenant, "ids": memory_ids})

    async def among(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        """The ids among these that must not be written."""
        rows = await self.scripts.statement(_AMONG, {"tenant": tenant, "ids": memory_ids})
        return {memory_id for (memory_id,) in rows}

    async def close_scope(self, owner_ref: OwnerRef) -> None:
        """Count that everything of a scope or a tenant is being forgotten."""
        values = {**filled(owner_ref), "owner": owner_key(owner_ref)}
        await self.scripts.statement(_CLOSE, values)

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        """Changes whenever `close_scope` names anything that admits this scope."""
        [(total,)] = await self.scripts.statement(_EPOCH, filled(scope))
        return (int(total),)


_LATE = "DELETE FROM offers WHERE until <= :now"
_PUT = """
    INSERT INTO offers VALUES (:tenant, :name, :text, :until)
    ON CONFLICT (tenant, name) DO UPDATE SET text = excluded.text, until = excluded.until
"""
_TAKE = "DELETE FROM offers WHERE tenant = :tenant AND name = :name RETURNING text, until"


class SqlOffers(SqlPart):
    """Texts that wait for an answer, by tenant and name. The texts are the caller's."""

    async def put(
        self, tenant: str, name: str, text: str, *, now: datetime, until: datetime
    ) -> None:
        """Keep a text durably until then, in place of an earlier one of this name.

        `now` is the caller's time: what waited longer than it should is dropped meanwhile.
        """
        values = {"tenant": tenant, "name": name, "text": text, "until": to_ms(until)}

        def script() -> Script[None]:
            yield SqlStatement(_LATE, {"now": to_ms(now)})
            yield SqlStatement(_PUT, values)

        await self.scripts.change(script, tenants={tenant})

    async def take(self, tenant: str, name: str, *, now: datetime) -> str | None:
        """Remove a text and return it: of several callers one gets it. None if it is too late."""
        values = {"tenant": tenant, "name": name}
        rows = await self.scripts.statement(_TAKE, values, once=tenant)
        return str(rows[0][0]) if rows and int(rows[0][1]) > to_ms(now) else None
