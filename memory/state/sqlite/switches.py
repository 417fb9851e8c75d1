"""Switches in SQLite."""

from __future__ import annotations

from collections.abc import Mapping

from .database import Database


class SqliteSwitches:
    """`Switches` in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self) -> dict[str, bool]:
        rows = await self._database.statement("SELECT name, turned_on FROM switches", {})
        return {str(name): bool(turned_on) for name, turned_on in rows}

    async def write(self, values: Mapping[str, bool]) -> None:
        rows = [(name, int(on)) for name, on in values.items()]
        await self._database.run(
            lambda connection: connection.executemany(
                "INSERT INTO switches VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET turned_on = excluded.turned_on",
                rows,
            )
        )
