"""What an operator turned off."""

from __future__ import annotations

from collections.abc import Mapping

from .scripts import each
from .sql_part import SqlPart

_WRITE = """
    INSERT INTO switches VALUES (:name, :turned_on)
    ON CONFLICT (name) DO UPDATE SET turned_on = excluded.turned_on
"""


class SqlSwitches(SqlPart):
    """Switches by name, kept across restarts. What they mean is the caller's business."""

    async def read(self) -> dict[str, bool]:
        """Whether each is on; without those that nobody ever turned."""
        rows = await self.scripts.statement("SELECT name, turned_on FROM switches", {})
        return {str(name): bool(turned_on) for name, turned_on in rows}

    async def write(self, values: Mapping[str, bool]) -> None:
        """Turn these durably; others stay as they are."""
        rows = [{"name": name, "turned_on": int(on)} for name, on in values.items()]
        await self.scripts.change(lambda: each(_WRITE, rows), tenants=())
