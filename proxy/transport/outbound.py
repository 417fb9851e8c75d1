"""aiohttp's client connections, changed where they are not transparent or too slow for every event.

This module overrides undocumented methods of aiohttp 3.14. Check it before an upgrade of aiohttp;
`tests/transparency` and `tests/proxy/transport/test_outbound.py` cover it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.helpers import EMPTY_BODY_METHODS, TimerNoop
from aiohttp.http import RawResponseMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import StreamReader
from yarl import URL

from .connections import MAX_HEADER_BYTES

_NO_TIMER = TimerNoop()
_SWITCHED, _FINAL = 101, 200


class OutboundProtocol(ResponseHandler):
    """One connection to the upstream."""

    used = False
    """Whether it has carried a request before."""
    heard = False
    """Whether bytes have arrived for the current request."""
    reused = False
    """Whether the current request is not its first one."""
    _reader: Callable[[bytes], None] | None = None
    _silent_at: float | None = None
    """When the idle timeout expires; None while no read waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.gathered: list[bytes] = []
        """Pieces of a body that are passed on when all that came has been parsed."""

    def begin(self, method: str, idle_seconds: float) -> None:
        """From now on bytes belong to the answer to a request with this method."""
        self.reused, self.used, self.heard = self.used, True, False
        self.set_response_params(
            timer=_NO_TIMER,
            skip_payload=method in EMPTY_BODY_METHODS,
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=idle_seconds,
            max_line_size=MAX_HEADER_BYTES,
            max_field_size=MAX_HEADER_BYTES,
        )

    @property
    def died_unheard(self) -> bool:
        """Whether the request went out on a pooled connection that returned no bytes."""
        return self.reused and not self.heard

    async def answer(self) -> tuple[RawResponseMessage, StreamReader]:
        """The head of the answer, after any that announce it, and its body."""
        message, body = await self.read()
        while message.code < _FINAL and message.code != _SWITCHED:
            message, body = await self.read()
        return message, body

    def gathers_for(self, reader: Callable[[bytes], None] | None) -> None:
        """From now on this reader gets what was `gathered`, in one piece for each receipt."""
        self._reader = reader

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.gathered:
            self.hand_on()

    def hand_on(self) -> None:
        """Give the reader what was gathered."""
        pieces, self.gathered = self.gathered, []
        if pieces and self._reader is not None:
            self._reader(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """Report broken framing to the reader of a body; with aiohttp it would wait for ever."""
        body = self._payload
        super().set_exception(exc, *cause)
        if isinstance(exc, HttpProcessingError) and body is not None and not body.is_eof():
            body.set_exception(aiohttp.ClientPayloadError(exc.message))

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        if self._read_timeout_handle is not None:
            self._read_timeout_handle.cancel()
            self._read_timeout_handle = None

    # The idle timeout. aiohttp replaces its timer for every read, a large part of the cost of an
    # event. Here one timer runs, and is set again if it fires too early.

    def start_timeout(self) -> None:
        self._wait_again()

    def _reschedule_timeout(self) -> None:
        self.heard = True
        self._wait_again()

    def _drop_timeout(self) -> None:
        self._silent_at = None

    def _wait_again(self) -> None:
        if self._read_timeout is None:
            return
        self._silent_at = self._loop.time() + self._read_timeout
        if self._read_timeout_handle is None:
            self._set_timer(self._silent_at)

    def _set_timer(self, at: float) -> None:
        self._read_timeout_handle = self._loop.call_at(at, self._on_read_timeout)

    def _on_read_timeout(self) -> None:
        self._read_timeout_handle = None
        if self._silent_at is None:
            return
        if self._loop.time() < self._silent_at:
            self._set_timer(self._silent_at)
        else:
            super()._on_read_timeout()


class OutboundConnector(aiohttp.TCPConnector):
    """The connections to one server; discards pooled connections with unread bytes."""

    def __init__(self, base: URL, timeout: aiohttp.ClientTimeout, **options: Any) -> None:
        super().__init__(**options)
        loop = asyncio.get_running_loop()
        self._factory = lambda: OutboundProtocol(loop=loop)  # type: ignore[assignment]
        self._timeout = timeout
        # What aiohttp must know to connect. It is never sent.
        self._to_base = aiohttp.ClientRequest("GET", base, loop=loop)
        self._base_key = self._to_base.connection_key

    async def reach(self) -> tuple[Connection, OutboundProtocol]:
        """A connection that nobody uses, from the pool or a new one.

        Raises: aiohttp.ClientError, OSError.
        """
        while True:
            connection = await self._get(self._base_key, []) or await self._connected()
            protocol = connection.protocol
            if not isinstance(protocol, OutboundProtocol):
                raise TypeError("the factory makes no other")
            # Bytes after its last answer would be taken for the answer of the next request.
            if not (protocol.used and protocol.should_close):
                return connection, protocol
            connection.close()

    async def _connected(self) -> Connection:
        try:
            return await self.connect(self._to_base, [], self._timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError("the connection took too long") from error
