"""Random clients, good and bad: whole calls, streams, aborts, upstream cuts, half-sent requests."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

from bodies import Bodies
from load import post

CHAT = "/v1/chat/completions"
PATIENCE = 30.0
"""Seconds after which a call hangs."""
KEPT_MESSAGES = 20
_BROKEN = (asyncio.IncompleteReadError, ConnectionError)


class WrongError(Exception):
    """The product did what it must not."""


class Clients:
    """Workers that do one random thing after the other until they are stopped."""

    def __init__(self, url: str, users: int, seed: int = 5) -> None:
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._url = url
        self._dice = random.Random(seed)
        self._plain = Bodies(personal=False)
        self._personal = Bodies(personal=True, users=users)
        self._actions: list[Callable[[], Awaitable[None]]] = [
            self.pass_through,
            self.chat,
            self.several_calls,
            self.stream,
            self.abort_in_stream,
            self.abort_before_answer,
            self.abort_at_once,
            self.upstream_cut,
            self.half_sent,
        ]

    async def run(self, workers: int, seconds: float) -> None:
        """Keep `workers` busy for a while."""
        until = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*(self._worker(until) for _ in range(workers)))

    async def _worker(self, until: float) -> None:
        while asyncio.get_running_loop().time() < until:
            action = self._dice.choice(self._actions)
            name = action.__name__  # type: ignore[attr-defined]
            try:
                await asyncio.wait_for(action(), PATIENCE)
                self.done[name] += 1
            except (WrongError, TimeoutError, *_BROKEN) as error:
                self.done[f"{name}, wrong"] += 1
                self.wrong = [*self.wrong, f"{name}: {error!r}"][:KEPT_MESSAGES]
            await asyncio.sleep(self._dice.uniform(0, 0.05))

    async def pass_through(self) -> None:
        async with self._sent("/v1/embeddings", self._plain.make()) as reader:
            await whole_answer(reader)

    async def chat(self) -> None:
        size = self._dice.choice(["1 KB", "1 KB", "64 KB"])
        async with self._sent(CHAT, self._some().make(size=size)) as reader:
            await whole_answer(reader)

    async def several_calls(self) -> None:
        async with self._connection() as (reader, writer):
            for _ in range(4):
                writer.write(post(self._url, CHAT, self._plain.make()))
                await whole_answer(reader)

    async def stream(self) -> None:
        wish = self._dice.choice(["", "mock:paced:10:10"])
        async with self._sent(CHAT, self._some().make(wish=wish, stream=True)) as reader:
            if b"[DONE]" not in await whole_answer(reader):
                raise WrongError("a stream without its end")

    async def abort_in_stream(self) -> None:
        body = self._some().make(wish="mock:paced:50:10", stream=True)
        async with self._sent(CHAT, body) as reader:
            await reader.readuntil(b"\r\n\r\n")
            await self._for_a_while(reader.read(self._dice.randrange(1, 2000)))
            await asyncio.sleep(self._dice.uniform(0, 0.3))

    async def abort_before_answer(self) -> None:
        async with self._sent(CHAT, self._some().make(wish="mock:late:1:400")) as reader:
            await self._for_a_while(reader.read(1))

    async def abort_at_once(self) -> None:
        async with self._sent(CHAT, self._some().make(stream=self._dice.random() < 0.5)):
            await asyncio.sleep(self._dice.uniform(0, 0.02))

    async def upstream_cut(self) -> None:
        body = self._some().make(wish="mock:cut:4:10", stream=True)
        async with self._sent(CHAT, body) as reader:
            try:
                await whole_answer(reader)
            except _BROKEN:
                return
            raise WrongError("a cut stream that ended well")

    async def half_sent(self) -> None:
        request = post(self._url, CHAT, self._some().make())
        async with self._connection() as (_, writer):
            writer.write(request[: self._dice.randrange(1, len(request) - 1)])
            await asyncio.sleep(self._dice.uniform(0, 0.3))

    def _some(self) -> Bodies:
        return self._dice.choice([self._plain, self._personal])

    async def _for_a_while(self, reading: Awaitable[bytes]) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reading, self._dice.uniform(0, 0.3))

    @contextlib.asynccontextmanager
    async def _sent(self, path: str, body: bytes) -> AsyncIterator[asyncio.StreamReader]:
        async with self._connection() as (reader, writer):
            writer.write(post(self._url, path, body))
            yield reader

    @contextlib.asynccontextmanager
    async def _connection(
        self,
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        host, port = self._url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            yield reader, writer
        finally:
            if self._dice.random() < 0.3:
                _reset_on_close(writer)
            writer.close()


def _reset_on_close(writer: asyncio.StreamWriter) -> None:
    """A reset instead of an orderly end, as a client's crash looks."""
    now = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)


async def whole_answer(reader: asyncio.StreamReader) -> bytes:
    """The body of a success.

    Raises:
        WrongError: another status.
        IncompleteReadError, ConnectionError: it broke off.
    """
    return await answer_body(reader, await answer_head(reader))


async def answer_head(reader: asyncio.StreamReader) -> bytes:
    """The head of a success, in small letters; errors as above."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b" 200 " not in head.split(b"\r\n", 1)[0]:
        raise WrongError(f"not a success: {head[:200]!r}")
    return head


async def answer_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """What follows a head; errors as above."""
    if b"transfer-encoding: chunked" not in head:
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        return await reader.readexactly(length)
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(parts)
