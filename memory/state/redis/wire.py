"""Commands and scripts to Redis over one pool of connections.

Every error of the client becomes a StateError. A call without an answer is resent a few times, so
every command sent here must be safe to arrive twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ...model.errors import StateUnwritableError
from ..writes import Writes
from .connect import POOL_SIZE, ServerFacts, facts_from, open_cluster, open_seed, translated

if TYPE_CHECKING:
    import redis.asyncio

T = TypeVar("T")

PROBE_SECONDS = 60
"""Lifetime of the key that tests whether writes work again."""
PIPELINE = 200
"""Commands sent together; bounds the memory of one answer."""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script. After its first run the server knows it by its digest."""

    text: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()
        object.__setattr__(self, "sha", digest)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A script, its keys (all of one hash tag) and its arguments."""

    script: Script
    keys: Sequence[str]
    args: Sequence[str | int] = ()

    @property
    def by_digest(self) -> tuple[str | int, ...]:
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.args)

    @property
    def by_text(self) -> tuple[str | int, ...]:
        return ("EVAL", self.script.text, len(self.keys), *self.keys, *self.args)


Command = ScriptRun | tuple[str | int, ...]


class Wire:
    """Commands to a server, or to its cluster if it belongs to one. Connects when first used.

    Raises:
        StateError: `url` is not an address of a Redis.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.agree: Callable[[], Awaitable[bool]] = _agreed
        """Whether what is there may be used: awaited before the first command until it is true.
        Raises StateError if it may not."""
        self._agreed = False
        self._seed = open_seed(url)
        self._cluster: redis.asyncio.RedisCluster | None = None
        self._facts: ServerFacts | None = None
        self._finding_out = asyncio.Lock()
        self._places = asyncio.Semaphore(POOL_SIZE)
        self.writes = Writes()
        self._refused_tag = ""

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
        """Run a script and return its answer. Raises StateError."""
        return await self.send(ScriptRun(script, keys, args))

    async def send(self, command: Command) -> Any:
        """Send one command and return its answer. Raises StateError."""
        await self._begin()
        async with self._noting([command]):
            return await self._one(command)

    async def ask(self, *command: str | int) -> Any:
        """The same for what `agree` asks. Raises StateError."""
        await self.facts()
        async with translated(self._seed):
            return await self._one(command)

    async def ping(self) -> None:
        """Return unless writes are refused. After a refusal a probe tests whether writes work.

        Raises:
            StateUnwritableError: the server still refuses writes.
            StateError: it does not answer.
        """
        if self.writes.why is not None:
            with self.writes.probing():
                await self.send(("SET", f"{self._refused_tag}:probe", "1", "EX", PROBE_SECONDS))

    async def send_all(self, commands: Sequence[Command]) -> list[Any]:
        """Send independent commands; their answers are in the same order.

        Takes one round trip per `PIPELINE` commands. It is no transaction: if one fails, any of the
        others may have been executed.

        Raises:
            StateError: one of them failed, or no answer came.
        """
        return await self._send_parts(commands, in_order=False)

    async def send_in_order(self, commands: Sequence[Command]) -> list[Any]:
        """The same, executed one after the other: in a cluster one round trip per command."""
        return await self._send_parts(commands, in_order=True)

    async def publish(self, channel: str, message: str) -> None:
        """Send to all current listeners on every node of a cluster. Raises StateError."""
        async with translated(self._seed):
            await self._send(self._seed, ("PUBLISH", channel, message))

    async def close(self) -> None:
        """Close all connections."""
        async with translated():
            if self._cluster is not None:
                await self._cluster.aclose()
            await self._seed.aclose()
            await self._seed.connection_pool.disconnect()

    async def _send_parts(self, commands: Sequence[Command], *, in_order: bool) -> list[Any]:
        await self._begin()
        answers: list[Any] = []
        for part in in_parts(commands, PIPELINE):
            async with self._noting(part):
                if self._cluster is None:
                    answers += await self._send_together(part)
                elif in_order:
                    answers += [await self._one(command) for command in part]
                else:
                    answers += await asyncio.gather(*(self._one(command) for command in part))
        return answers

    @asynccontextmanager
    async def _noting(self, commands: Sequence[Command]) -> AsyncIterator[None]:
        """Translate errors; remember the key tag of a refusal: it may concern one node only."""
        try:
            async with translated(self._seed):
                yield
        except StateUnwritableError as error:
            self.writes.refuse(error)
            self._refused_tag = _tagged(commands[0])
            raise

    async def _one(self, command: Command) -> Any:
        if self._cluster is None:
            return await self._send(self._seed, command)
        # Unlike the pool, the cluster client does not wait for a free connection.
        async with self._places:
            return await self._send(self._cluster, command)

    async def _begin(self) -> None:
        if self._facts is None:
            await self.facts()
        if not self._agreed:
            self._agreed = await self.agree()

    async def _send(
        self, client: redis.asyncio.Redis | redis.asyncio.RedisCluster, command: Command
    ) -> Any:
        from redis.exceptions import NoScriptError

        if not isinstance(command, ScriptRun):
            return await client.execute_command(*command)
        try:
            return await client.execute_command(*command.by_digest)
        except NoScriptError:
            # The server is new or was flushed. EVAL makes the script known again.
            return await client.execute_command(*command.by_text)

    async def _send_together(self, commands: Sequence[Command]) -> list[Any]:
        from redis.exceptions import NoScriptError

        async with self._seed.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(
                    *(command.by_digest if isinstance(command, ScriptRun) else command)
                )
            answers: list[Any] = await pipeline.execute(raise_on_error=False)
        for at, answer in enumerate(answers):
            if isinstance(answer, NoScriptError):
                # The order counts: resend this command and all that follow.
                again = [await self._send(self._seed, command) for command in commands[at:]]
                return [*answers[:at], *again]
            if isinstance(answer, Exception):
                raise answer
        return answers


async def _agreed() -> bool:
    """Whatever is there may be used."""
    return True


def in_parts(values: Sequence[T], size: int) -> list[Sequence[T]]:
    """The values in slices of at most `size`."""
    return [values[start : start + size] for start in range(0, len(values), size)]


def _tagged(command: Command) -> str:
    """The first key of a command up to its hash tag: a prefix for keys on the same node."""
    key = str(command.keys[0] if isinstance(command, ScriptRun) else command[1])
    return key[: key.find("}") + 1]


async def _ask(client: redis.asyncio.Redis) -> ServerFacts:
    """The facts, as far as the server permits: managed servers forbid some commands."""
    from redis.exceptions import NoPermissionError, ResponseError

    info: Mapping[str, Any] = {}
    setting: Mapping[str | None, str | None] = {}
    with contextlib.suppress(NoPermissionError):
        info = await client.info()
    with contextlib.suppress(ResponseError):
        setting = await client.config_get("appendfsync")
    return facts_from(info, setting.get("appendfsync") or "")
