"""Messages between processes by Redis' channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ...model.errors import StateError
from .connect import CALL_SECONDS, SOCKET_SECONDS, open_unmended, translated
from .keys import Keys
from .wire import Wire

if TYPE_CHECKING:
    import redis.asyncio
    import redis.asyncio.client


class RedisBus:
    """A `Bus`."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def publish(self, channel: str, text: str) -> None:
        await self._wire.publish(self._keys.channel(channel), text)

    async def listen(self, *channels: str) -> RedisListener:
        return await RedisListener.open(self._wire.url, *map(self._keys.channel, channels))

    async def ping(self) -> None:
        """Return if Redis answers. Raises StateError."""
        await self._wire.ping()

    async def close(self) -> None:
        """Close all connections but those of listeners."""
        await self._wire.close()


class RedisListener:
    """A `Listener`."""

    def __init__(self, client: redis.asyncio.Redis, pubsub: redis.asyncio.client.PubSub) -> None:
        self._client = client
        self._pubsub = pubsub

    @classmethod
    async def open(cls, url: str, *channels: str) -> Self:
        """Subscribe and wait for the server's confirmation. Raises StateError."""
        client = open_unmended(url)
        listener = cls(client, client.pubsub())
        try:
            await listener._subscribe(*channels)
        except BaseException:
            await listener.close()
            raise
        return listener

    async def receive(self, seconds: float) -> str | None:
        """The next message; None if none arrived in `seconds` and the server still answers.

        Raises:
            StateError: the connection is lost.
        """
        async with translated(seconds=seconds + CALL_SECONDS):
            heard = await self._pubsub.get_message(timeout=seconds)
            if heard is None:
                await self._pubsub.ping()
                heard = await self._pubsub.get_message(timeout=SOCKET_SECONDS)
        if heard is None:
            raise StateError("redis no longer answers a listener")
        return _text_of(heard)

    async def close(self) -> None:
        """Close the connection."""
        async with translated():
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
            await self._client.aclose()

    async def _subscribe(self, *channels: str) -> None:
        async with translated():
            await self._pubsub.subscribe(*channels)
            for _ in channels:
                heard: dict[str, Any] | None = None
                while heard is None or heard["type"] != "subscribe":
                    heard = await self._pubsub.get_message(timeout=SOCKET_SECONDS)


def _text_of(heard: dict[str, Any]) -> str | None:
    return str(heard["data"]) if heard["type"] == "message" else None
