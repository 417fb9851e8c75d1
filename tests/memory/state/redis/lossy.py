"""Between client and server: loses answers, or holds them back."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self


class LossyLink:
    """A TCP relay on a port of its own; `lose` is how many answers are lost from now on.

    An answer is lost after the server gave it: what was asked for is done, and the connection
    breaks. With `hold` nothing arrives and nothing breaks. `port` may become another server's.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._server: asyncio.Server | None = None
        self.lose = 0
        self.hold = False
        self.lost = 0

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/0"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:  # nobody is there: as if nobody listened here
            writer.close()
            return
        with contextlib.suppress(OSError):
            await asyncio.gather(
                self._ask(reader, to_server), self._answer(from_server, writer, to_server)
            )
        for side in (writer, to_server):
            side.close()

    async def _ask(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            to_server.write(data)
        to_server.close()

    async def _answer(
        self,
        from_server: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        to_server: asyncio.StreamWriter,
    ) -> None:
        while data := await from_server.read(65536):
            if self.hold:
                continue
            if self.lose:
                self.lose -= 1
                self.lost += 1
                to_server.close()
                break
            writer.write(data)
        writer.close()
