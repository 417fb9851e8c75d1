"""Messages between processes by PostgreSQL's LISTEN and NOTIFY.

They need connections of their own: a pooler that hands out one connection for each transaction
passes none on.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ...model.errors import StateError
from .scripts import PostgresScripts

_NOTIFY = "SELECT pg_notify($1, $2)"
_LOST = None


class PostgresBus:
    """A `Bus` (`state.bus`)."""

    def __init__(self, scripts: PostgresScripts) -> None:
        self.database = scripts.database

    async def publish(self, channel: str, text: str) -> None:
        await self.database.fetch(_NOTIFY, _named(channel), text)

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
        return text

    async def close(self) -> None:
        self._connection.terminate()


def _named(channel: str) -> str:
    return f"recollect_{channel}".replace(":", "_")
