"""A TCP relay that keeps every byte a client sent: what the upstream really received."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self

from yarl import URL


class Recorder:
    """Stands before a server; `bodies` are the JSON request bodies in order of arrival."""

    def __init__(self, base_url: str) -> None:
        self._target = URL(base_url)
        self._connections: list[bytearray] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}{self._target.path}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def received(self) -> bytes:
        """All request bytes so far."""
        return b"".join(bytes(c) for c in self._connections)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """Each JSON body that was received."""
        found = []
        for part in self.received.split(b"\r\n\r\n")[1:]:
            start = part.find(b"{")
            if start == 0:
                found.append(json.JSONDecoder().raw_decode(part.decode())[0])
        return found

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        received = bytearray()
        self._connections.append(received)
        up_reader, up_writer = await asyncio.open_connection(self._target.host, self._target.port)
        try:
            await asyncio.gather(_pump(reader, up_writer, received), _pump(up_reader, writer, None))
        finally:
            writer.close()
            up_writer.close()
            self._tasks.discard(task)


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, keep: bytearray | None
) -> None:
    try:
        while chunk := await reader.read(65536):
            if keep is not None:
                keep += chunk
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()
