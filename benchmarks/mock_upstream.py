"""A model server that costs almost nothing: one asyncio protocol, canned answers, no framework.

`python benchmarks/mock_upstream.py` prints ``READY port`` and serves until its input ends.
A body with ``"stream": true`` gets 20 events, anything else a JSON answer of about 1 KB.
"""

from __future__ import annotations

import asyncio
import json
import sys

_ANSWER = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "mock",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Certainly. " * 70},
            }
        ],
    }
).encode()
_JSON = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer: mock\r\n"
    b"Date: Sat, 21 Nov 2026 00:00:00 GMT\r\nContent-Length: %d\r\n\r\n%s" % (len(_ANSWER), _ANSWER)
)
_CHUNK = b'data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n'
_EVENTS = b"".join(
    b"%x\r\n%s\r\n" % (len(part), part) for part in [_CHUNK] * 20 + [b"data: [DONE]\n\n"]
)
_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nServer: mock\r\n"
    b"Date: Sat, 21 Nov 2026 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n"
    + _EVENTS
    + b"0\r\n\r\n"
)


class MockUpstream(asyncio.Protocol):
    """Reads a request up to its Content-Length and answers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            total = end + 4 + length
            if len(self._buffer) < total:
                return
            body, self._buffer = self._buffer[end + 4 : total], self._buffer[total:]
            self._transport.write(_STREAM if b'"stream":true' in body else _JSON)


async def main() -> None:
    """Serve on a free loopback port."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(MockUpstream, "127.0.0.1", 0)
    print("READY", server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
