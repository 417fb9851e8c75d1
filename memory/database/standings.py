"""What is known of models at extraction."""

from __future__ import annotations

from .sql_part import SqlPart

_OF = "SELECT model, standing FROM standings WHERE tenant = :tenant"
_NEW = """
    INSERT INTO standings VALUES (:tenant, :model, :after) ON CONFLICT DO NOTHING RETURNING model
"""
_CHANGE = """
    UPDATE standings SET standing = :after
    WHERE tenant = :tenant AND model = :model AND standing = :before
    RETURNING model
"""


class SqlStandings(SqlPart):
    """What is known of models at extraction, by tenant and model. The texts are the caller's."""

    async def of(self, tenant: str) -> dict[str, str]:
        """All of a tenant's, by model."""
        rows = await self.scripts.statement(_OF, {"tenant": tenant})
        return {str(model): str(standing) for model, standing in rows}

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        """Write one durably if it still is as `before`, None for unknown; whether it was."""
        values = {"tenant": tenant, "model": model, "before": before, "after": after}
        sql = _NEW if before is None else _CHANGE
        return bool(await self.scripts.statement(sql, values, once=tenant))
