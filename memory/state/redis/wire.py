"""Scripts and messages to Redis over one pool of connections.

Every error of the client becomes a StateError. A call without an answer is resent a few times, so
every script sent here must be safe to arrive twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .connect import POOL_SIZE, ServerFacts, facts_from, open_cluster, open_seed, translated

if TYPE_CHECKING:
    import redis.asyncio


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script. After its first run the server knows it by its digest."""

    text: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()
        object.__setattr__(self, "sha", digest)


class Wire:
    """Leads to a server, or to its cluster if it belongs to one. Connects when first used.

    Raises:
        StateError: `url` is not an address of a Redis.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._seed = open_seed(url)
        self._cluster: redis.asyncio.RedisCluster | None = None
        self._facts: ServerFacts | None = None
        self._finding_out = asyncio.Lock()
        self._places = asyncio.Semaphore(POOL_SIZE)

    async def facts(self) -> ServerFacts:
        """The server's facts, asked for once.

        Raises:
            UnfitServerError: it is too old.
            StateError: it does not answer.
        """
        async with self._finding_out:
            if self._facts is None:
                async with translated():
                    facts = await _ask(self._seed)
                    if facts.cluster:
                        self._cluster = open_cluster(self.url)
                self._facts = facts
            return self._facts

    async def run(self, script: Script, keys: Sequence[str], *args: str | int) -> Any:
        """Run a script with keys of one hash tag and return its answer. Raises StateError."""
        from redis.exceptions import NoScriptError

        if self._facts is None:
            await self.facts()
        async with translated(self._seed):
            try:
                return await self._send("EVALSHA", script.sha, len(keys), *keys, *args)
            except NoScriptError:
                # The server is new or was flushed. EVAL makes the script known again.
                return await self._send("EVAL", script.text, len(keys), *keys, *args)

    async def publish(self, channel: str, message: str) -> None:
        """Send to all current listeners on every node of a cluster. Raises StateError."""
        async with translated(self._seed):
            await self._seed.publish(channel, message)

    async def ping(self) -> None:
        """Return if it answers. Raises StateError."""
        async with translated(self._seed):
            await self._seed.ping()

    async def close(self) -> None:
        """Close all connections."""
        async with translated():
            if self._cluster is not None:
                await self._cluster.aclose()
            await self._seed.aclose()
            await self._seed.connection_pool.disconnect()

    async def _send(self, *command: str | int) -> Any:
        if self._cluster is None:
            return await self._seed.execute_command(*command)  # type: ignore[no-untyped-call]
        # Unlike the pool, the cluster client does not wait for a free connection.
        async with self._places:
            return await self._cluster.execute_command(*command)


async def _ask(client: redis.asyncio.Redis) -> ServerFacts:
    """The facts, as far as the server permits: managed servers forbid some commands."""
    from redis.exceptions import NoPermissionError

    info: Mapping[str, Any] = {}
    with contextlib.suppress(NoPermissionError):
        info = await client.info()
    return facts_from(info)
