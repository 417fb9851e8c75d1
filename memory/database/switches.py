"""What an operator turned off."""

from __future__ import annotations

from collections.abc import Mapping

from .scripts import Script, ScriptRunner, SqlStatement

_WRITE = """
    INSERT INTO switches VALUES (:name, :turned_on)
    ON CONFLICT (name) DO UPDATE SET turned_on = excluded.turned_on
"""


class SqlSwitches:
    """`Switches` in one SQL database."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def read(self) -> dict[str, bool]:
        rows = await self._scripts.statement("SELECT name, turned_on FROM switches", {})
        return {str(name): bool(turned_on) for name, turned_on in rows}

    async def write(self, values: Mapping[str, bool]) -> None:
        rows = [{"name": name, "turned_on": int(on)} for name, on in values.items()]

        def script() -> Script[None]:
            yield SqlStatement(_WRITE, many=rows)

        await self._scripts.change(script, tenants=())
