"""What the classes that keep one kind of thing have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .scripts import ScriptRunner, listed


class SqlPart:
    """Keeps one kind of thing in the database. All methods raise StateError.

    Over `transactions.INSIDE` it is a part of somebody's transaction.
    """

    def __init__(self, scripts: ScriptRunner) -> None:
        self.scripts = scripts
        """Runs its statements."""

    async def _exist(self, table: str, tenant: str) -> bool:
        sql = f"SELECT EXISTS (SELECT 1 FROM {table} WHERE tenant = :tenant)"  # noqa: S608 - a constant
        [(found,)] = await self.scripts.statement(sql, {"tenant": tenant})
        return bool(found)

    async def _erased(
        self, sql: str, values: Mapping[str, object], *, tenants: Collection[str] = ()
    ) -> int:
        """How many rows a statement returns that removes texts: nothing of them stays in a file."""
        gone = await self.scripts.change(
            lambda: listed(sql, values, tuple), tenants=tenants, erases=True
        )
        return len(gone)
