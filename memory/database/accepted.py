"""Tenants whose credentials the model server has accepted."""

from __future__ import annotations

from .changes import ChangeKind, ChangeLine, add_lines
from .scripts import Script, SqlStatement
from .sql_part import SqlPart

MOST_TENANTS = 100_000
"""Of more, the one that was accepted first is forgotten."""
_ACCEPT = "INSERT INTO accepted_tenants (tenant) VALUES (:tenant) ON CONFLICT (tenant) DO NOTHING"
_REFUSE = "DELETE FROM accepted_tenants WHERE tenant = :tenant"
_BOUND = """
    DELETE FROM accepted_tenants WHERE position <= (
        SELECT position FROM accepted_tenants ORDER BY position DESC LIMIT 1 OFFSET {most}
    )
"""


class SqlAcceptedTenants(SqlPart):
    """Their names: hashes of credentials, never one itself."""

    async def read(self) -> list[str]:
        """All of them, the one that was accepted last at the end."""
        sql = "SELECT tenant FROM accepted_tenants ORDER BY position"
        return [str(name) for (name,) in await self.scripts.statement(sql, {})]

    async def judge(self, tenant: str, *, accepted: bool, writer: str = "") -> None:
        """Note what the model server said of a tenant; a `writer` tells other processes."""
        line = ChangeLine(ChangeKind.ACCEPTED, tenant, [accepted])

        def script() -> Script[None]:
            yield SqlStatement(_ACCEPT if accepted else _REFUSE, {"tenant": tenant})
            yield SqlStatement(_BOUND.format(most=MOST_TENANTS))
            yield from add_lines([line] if writer else [], writer)

        await self.scripts.change(script, tenants=[tenant])
