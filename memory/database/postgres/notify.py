"""Messages between processes by PostgreSQL's LISTEN and NOTIFY.

They need connections of their own: a pooler that hands out one connection for each transaction
passes none on. A message that is too long for a notification is a row for a minute.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from ...model.errors import StateError
from ..sharing import now_ms
from .scripts import PostgresScripts

_LONGEST = 7_000
"""Bytes of a notification; PostgreSQL takes less than 8,000."""
_KEPT_MS = 60_000
_REFERENCE = "@"
_NOTIFY = "SELECT pg_notify($1, $2)"
# What is written and told in one statement is there when it is heard.
_KEEP = """
    WITH gone AS (DELETE FROM messages WHERE at < $5),
         kept AS (INSERT INTO messages VALUES ($3, $4, $2) RETURNING id)
    SELECT pg_notify($1, '@' || id) FROM kept
"""
_READ = "SELECT text FROM messages WHERE id = $1"
_LOST = None


class PostgresBus:
    """A `Bus` (`state.bus`)."""

    def __init__(self, scripts: PostgresScripts) -> None:
        self._scripts = scripts
        self.database = scripts.database

    async def publish(self, channel: str, text: str) -> None:
        name = _named(channel)
        if len(text.encode()) < _LONGEST:
            await self.database.fetch(_NOTIFY, name, text)
            return
        now = await now_ms(self._scripts)
        await self.database.fetch(_KEEP, name, text, uuid.uuid4().hex, now, now - _KEPT_MS)

    async def listen(self, *channels: str) -> Notified:
        """Hear these channels; returns when it hears. Raises StateError."""
        connection = await self.database.connected()
        listener = Notified(self, connection)
        try:
            for channel in channels:
                await listener.hear(_named(channel))
        except BaseException:
            await listener.close()
            raise
        return listener

    async def whole(self, text: str) -> str | None:
        """The message that a notification stands for; None if it is gone. Raises StateError."""
        if not text.startswith(_REFERENCE):
            return text
        rows = await self.database.fetch(_READ, text.removeprefix(_REFERENCE))
        return str(rows[0][0]) if rows else None


class Notified:
    """A `Listener` (`state.bus`)."""

    def __init__(self, bus: PostgresBus, connection: Any) -> None:
        self._bus = bus
        self._connection = connection
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()
        connection.add_termination_listener(lambda _: self._heard.put_nowait(_LOST))

    async def hear(self, channel: str) -> None:
        """Begin to. Raises StateError."""
        with self._bus.database.answering():
            await self._connection.add_listener(
                channel, lambda *told: self._heard.put_nowait(str(told[-1]))
            )

    async def receive(self, seconds: float) -> str | None:
        try:
            async with asyncio.timeout(seconds):
                text = await self._heard.get()
        except TimeoutError:
            with self._bus.database.answering():
                await self._connection.execute("SELECT 1")
            return None
        if text is _LOST:
            raise StateError("PostgreSQL no longer answers a listener")
        return await self._bus.whole(text)

    async def close(self) -> None:
        self._connection.terminate()


def _named(channel: str) -> str:
    return f"recollect_{channel}".replace(":", "_")
