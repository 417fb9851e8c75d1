"""Both ends of a connection as bytes: an upstream that can do anything wrong, a client that sees it.

Nothing here parses more HTTP than it must, so that no library repairs what is to be observed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

from aiohttp import web

from recollect.proxy.errors import answer_errors, note_begun
from recollect.proxy.transport.connections import Runner
from recollect.proxy.transport.header_bytes import keep_header_bytes
from recollect.proxy.transport.relay import hide_server
from tests.support.waiting import HANG_SECONDS

SECONDS = HANG_SECONDS
"""Longest any single wait may take before a test fails instead of hanging."""


@dataclass(slots=True)
class Received:
    """One request as it arrived."""

    head: bytes
    body: bytes = b""

    @property
    def line(self) -> str:
        return self.head.split(b"\r\n")[0].decode("latin-1")

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Name and value of each header line, order and case as they came."""
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return [(n, v.strip()) for n, _, v in (line.partition(":") for line in lines if line)]

    def values(self, name: str) -> list[str]:
        return [v for n, v in self.headers if n.lower() == name.lower()]


Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Received], Awaitable[None]]


class RawUpstream:
    """Runs `script` for each request; `base_url` ends in ``/v1``.

    `requests` are those received so far, over so many `connections`; `hung_up` is set when the
    proxy closed one.
    """

    def __init__(self, script: Script | bytes, *, read_body: bool = True) -> None:
        self._script = script if callable(script) else answering(script)
        self._read_body = read_body
        self.requests: list[Received] = []
        self.connections = 0
        self.hung_up = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**22)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def refuse(self) -> None:
        """From now on every request is answered at once, with a status that nobody tries again."""
        self._script = answering(response(b"{}", status="404 Not Found"))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while True:
                received = Received((await reader.readuntil(b"\r\n\r\n"))[:-4])
                self.requests.append(received)
                if self._read_body:
                    received.body = await read_body(reader, received)
                await self._script(reader, writer, received)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            self.hung_up.set()
        finally:
            writer.close()
            self._tasks.discard(task)


def answering(answer: bytes) -> Script:
    """Send these bytes for every request."""

    async def script(_reader, writer, _received):
        writer.write(answer)

    return script


def then_close(answer: bytes) -> Script:
    """Send these bytes and end the connection."""

    async def script(_reader, writer, _received):
        writer.write(answer)
        await writer.drain()
        writer.close()
        raise ConnectionResetError

    return script


async def read_body(reader: asyncio.StreamReader, head: Received) -> bytes:
    """The body that belongs to a head, un-chunked."""
    if "chunked" in "".join(head.values("transfer-encoding")):
        body = bytearray()  # bytes would be copied with each piece
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return bytes(body)
    length = head.values("content-length")
    return await reader.readexactly(int(length[0])) if length else b""


def response(body: bytes = b"", *headers: str, status: str = "200 OK") -> bytes:
    """A response with a known length."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(*chunks: bytes, headers: tuple[str, ...] = (), final: bool = True) -> bytes:
    """A chunked response; without `final` it looks cut."""
    head = "\r\n".join(["HTTP/1.1 200 OK", *headers, "Transfer-Encoding: chunked"]).encode()
    return head + b"\r\n\r\n" + b"".join(map(chunk, chunks)) + (b"0\r\n\r\n" if final else b"")


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


@dataclass(slots=True)
class Seen:
    """What a client saw: the head, the body, and whether the body ended as HTTP says it must."""

    head: Received
    body: bytes
    ended: bool

    @property
    def status(self) -> int:
        return int(self.head.line.split()[1])


class RawClient:
    """One connection to the proxy."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self._port, limit=2**22
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.writer.close()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, *, head_only: bool = False) -> Seen:
        """Read one response, however it ends."""
        async with asyncio.timeout(SECONDS):
            head = Received((await self.reader.readuntil(b"\r\n\r\n"))[:-4])
            status = int(head.line.split()[1])
            if head_only or status in {204, 304}:
                return Seen(head, b"", ended=True)
            return Seen(head, *await self._body(head))

    async def _body(self, head: Received) -> tuple[bytes, bool]:
        body = bytearray()
        try:
            if "chunked" in "".join(head.values("transfer-encoding")):
                while size := int(await self.reader.readuntil(b"\r\n"), 16):
                    body += await self.reader.readexactly(size)
                    await self.reader.readexactly(2)
                await self.reader.readexactly(2)
            else:
                body += await self.reader.readexactly(int(head.values("content-length")[0]))
        except asyncio.IncompleteReadError as error:
            return bytes(body + error.partial), False
        except ConnectionError:
            return bytes(body), False
        return bytes(body), True


async def read_out(client: RawClient) -> bytes:
    """Everything until the end of the connection, however it ends."""
    got = bytearray()
    try:
        while data := await client.reader.read(2**16):
            got += data
    except ConnectionError:
        pass
    return bytes(got)


def request(method: str, path: str, body: bytes | None = None, *headers: str) -> bytes:
    """A request as bytes; the length is stated if there is a body."""
    lines = [f"{method} {path} HTTP/1.1", "Host: proxy.test", *headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + (body or b"")


class Served:
    """A handler behind the transport settings of the product, on a port of its own."""

    def __init__(self, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> None:
        app = web.Application(middlewares=[answer_errors], client_max_size=0)
        keep_header_bytes()
        app.on_response_prepare.extend((hide_server, note_begun))
        app.router.add_route("*", "/{path:(?s:.*)}", handler)
        self._runner = Runner(app)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def client(self) -> RawClient:
        return RawClient(self.port)

    async def until_closed(self, data: bytes) -> bytes:
        """Send one request on a connection of its own; all that comes before that is closed."""
        async with self.client() as client, asyncio.timeout(SECONDS):
            await client.send(data)
            return await read_out(client)

    async def ask(self, data: bytes, *, head_only: bool = False) -> Seen:
        """Send one request on a connection of its own and read its answer."""
        async with RawClient(self.port) as client:
            await client.send(data)
            return await client.answer(head_only=head_only)
