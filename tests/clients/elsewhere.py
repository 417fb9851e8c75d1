"""An HTTP proxy that connects nobody, and remembers whom it was asked for."""

from __future__ import annotations

import asyncio
from typing import Self


class Elsewhere:
    """Clients that obey `HTTPS_PROXY` reach nothing but loopback; `hosts` is whom they wanted."""

    def __init__(self) -> None:
        self.hosts: list[str] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._refuse, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        self.environ = {
            **dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"), url),
            **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
            "NODE_USE_ENV_PROXY": "1",
        }
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _refuse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode("latin-1").split()
        self.hosts += line[1:2]
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()
