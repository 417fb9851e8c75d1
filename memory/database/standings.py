"""What is known of models at extraction."""

from __future__ import annotations

from .scripts import ScriptRunner

_OF = "SELECT model, standing FROM standings WHERE tenant = :tenant"
_NEW = """
    INSERT INTO standings VALUES (:tenant, :model, :after) ON CONFLICT DO NOTHING RETURNING model
"""
_CHANGE = """
    UPDATE standings SET standing = :after
    WHERE tenant = :tenant AND model = :model AND standing = :before
    RETURNING model
"""


class SqlStandings:
    """`Standings` in one SQL database."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def of(self, tenant: str) -> dict[str, str]:
        rows = await self._scripts.statement(_OF, {"tenant": tenant})
        return {str(model): str(standing) for model, standing in rows}

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        values = {"tenant": tenant, "model": model, "before": before, "after": after}
        sql = _NEW if before is None else _CHANGE
        return bool(await self._scripts.statement(sql, values, once=tenant))
