"""A connection that subscribes to one channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ...model.errors import StateError
from .connect import CALL_SECONDS, SOCKET_SECONDS, open_unmended, translated

if TYPE_CHECKING:
    import redis.asyncio
    import redis.asyncio.client


class Listener:
    """Fails on a broken connection instead of reconnecting, so that no gap goes unnoticed."""

    def __init__(self, client: redis.asyncio.Redis, pubsub: redis.asyncio.client.PubSub) -> None:
        self._client = client
        self._pubsub = pubsub

    @classmethod
    async def open(cls, url: str, channel: str) -> Self:
        """Subscribe and wait for the server's confirmation. Raises StateError."""
        client = open_unmended(url)
        listener = cls(client, client.pubsub())
        try:
            await listener._subscribe(channel)
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

    async def _subscribe(self, channel: str) -> None:
        async with translated():
            await self._pubsub.subscribe(channel)
            heard: dict[str, Any] | None = None
            while heard is None or heard["type"] != "subscribe":
                heard = await self._pubsub.get_message(timeout=SOCKET_SECONDS)


def _text_of(heard: dict[str, Any]) -> str | None:
    return str(heard["data"]) if heard["type"] == "message" else None
