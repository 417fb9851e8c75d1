"""What processes that share a Redis tell each other: what was forgotten, and who wrote.

Announcements are not stored: a process that does not listen misses them. A listener therefore
reports every gap, after which everything cached is dropped. Messages carry scopes and ids, no
texts. Counters of writes are read with every recall, so that no write is missed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from ...model.errors import StateError
from ...model.types import OwnerRef
from ..announcement import read_message, write_message
from .connect import CALL_SECONDS, SOCKET_SECONDS, open_unmended, translated
from .keys import Keys
from .wire import Script, Wire

if TYPE_CHECKING:
    import redis.asyncio
    import redis.asyncio.client

log = logging.getLogger(__name__)

SILENCE_SECONDS = 15.0
"""A listener that received nothing for this long pings the server."""
FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 10.0
KEEP_SECONDS = 30 * 86_400
"""How long a counter is kept after a user's last write. Its expiry counts as a change."""

# A lost or expired counter starts at a random number, so that it cannot repeat a number that
# another process remembers.
_BUMP = Script("""
local counter = KEYS[1]
redis.call('SET', counter, ARGV[1], 'NX')
local count = redis.call('INCR', counter)
redis.call('EXPIRE', counter, ARGV[2])
return count
""")


class RedisPeers:
    """The `PeerBus` and the `WriteCounters` of all processes, the sender included.

    If the server's answer is lost, a message may arrive twice, and a write may count twice: other
    processes then check the store once more.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys
        self._channel = keys.forgotten

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        if not keys:
            return ()
        counters = await self._wire.send(("MGET", *map(self._keys.version, keys)))
        return tuple(int(counter or 0) for counter in counters)

    async def bump(self, key: str) -> int:
        # Below 2^50, because Lua's numbers are exact up to 2^53.
        start = secrets.randbits(50)
        counter = self._keys.version(key)
        return int(await self._wire.run(_BUMP, [counter], start, KEEP_SECONDS))

    async def publish(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of an owner, or all, was forgotten. Raises StateError."""
        await self._wire.publish(self._channel, write_message(owner_ref, memory_id))

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on announcements until cancelled.

        `on_gap` is called when the first can be heard, and when the connection is back after it was
        lost: earlier ones were missed.
        """
        wait = FIRST_WAIT_SECONDS
        while True:
            try:
                listener = await Listener.open(self._wire.url, self._channel)
            except StateError as error:
                log.warning("cannot listen to announcements, retry in %.1f s: %s", wait, error)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
                continue
            wait = FIRST_WAIT_SECONDS
            try:
                on_gap()
                while True:
                    text = await listener.receive(SILENCE_SECONDS)
                    if text is not None and (said := read_message(text)) is not None:
                        on_forgotten(*said)
            except StateError as error:
                log.warning("announcements may have been missed: %s", error)
            finally:
                await listener.close()


class Listener:
    """Fails on a broken connection instead of reconnecting, so that no gap goes unnoticed."""

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
