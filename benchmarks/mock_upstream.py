"""A model server that costs almost nothing: one asyncio protocol, canned answers, no framework.

`python benchmarks/mock_upstream.py` prints ``READY port`` and serves until its input ends.
A body with ``"stream": true`` gets 20 events at once, anything else a JSON answer of about 1 KB.
Text anywhere in the body may ask for more:

- ``mock:paced:100:20`` streams 100 events, one per 20 ms;
- ``mock:cut:5:20`` breaks the connection after the fifth;
- ``mock:late:1:500`` sends the JSON answer after 500 ms.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable

_ANSWER = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1795219200,
        "model": "mock",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Certainly. " * 70},
            }
        ],
        "usage": {"prompt_tokens": 200, "completion_tokens": 140, "total_tokens": 340},
    }
).encode()
_JSON = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer: mock\r\n"
    b"Date: Sat, 21 Nov 2026 00:00:00 GMT\r\nContent-Length: %d\r\n\r\n%s" % (len(_ANSWER), _ANSWER)
)
_DELTA = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "created": 1795219200,
    "model": "mock",
    "choices": [{"index": 0, "delta": {"content": "word "}, "finish_reason": None}],
}


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


_EVENT = _chunk(b"data: %s\n\n" % json.dumps(_DELTA, separators=(",", ":")).encode())
_END = _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"
_STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nServer: mock\r\n"
    b"Date: Sat, 21 Nov 2026 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n"
)
_STREAM = _STREAM_HEAD + _EVENT * 20 + _END
_WISH = re.compile(rb"mock:(paced|cut|late):(\d+):(\d+)")


class MockUpstream(asyncio.Protocol):
    """Reads a request up to its Content-Length and answers."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._buffer = b""

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if self._timer is not None:
            self._timer.cancel()

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
            self._answer(body)

    def _answer(self, body: bytes) -> None:
        wish = _WISH.search(body)
        if wish is None:
            stream = b'"stream":true' in body or b'"stream": true' in body
            self._transport.write(_STREAM if stream else _JSON)
            return
        count, seconds = int(wish[2]), int(wish[3]) / 1e3
        loop = asyncio.get_running_loop()
        if wish[1] == b"late":
            self._timer = loop.call_later(seconds, self._transport.write, _JSON)
            return
        end = self._transport.abort if wish[1] == b"cut" else self._end
        self._transport.write(_STREAM_HEAD + _EVENT)
        self._next(1, count, loop.time(), seconds, end)

    def _next(
        self, sent: int, count: int, start: float, seconds: float, end: Callable[[], None]
    ) -> None:
        """Plan the event after `sent`, by the time of the first: being late does not add up.

        The end comes with the last event; a cut comes when another event would have come.
        """
        loop = asyncio.get_running_loop()
        if sent < count:
            self._timer = loop.call_at(
                start + sent * seconds, self._send, sent, count, start, seconds, end
            )
        elif end == self._end:
            end()
        else:
            self._timer = loop.call_later(seconds, end)

    def _send(
        self, sent: int, count: int, start: float, seconds: float, end: Callable[[], None]
    ) -> None:
        self._transport.write(_EVENT)
        self._next(sent + 1, count, start, seconds, end)

    def _end(self) -> None:
        self._transport.write(_END)


async def main() -> None:
    """Serve on a free loopback port."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(MockUpstream, "127.0.0.1", 0, backlog=4096)
    print("READY", server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
