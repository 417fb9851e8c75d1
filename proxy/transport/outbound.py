"""aiohttp's client, changed where it is not transparent or too slow for every stream event.

This module overrides undocumented methods of aiohttp 3.14. Check it before an upgrade of aiohttp;
`tests/transparency` and `tests/proxy/transport/test_outbound.py` cover it.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import payload
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.tracing import Trace
from multidict import CIMultiDict

_LARGE_BYTES = 2**20
"""Above this size aiohttp warns about a bytes body, which it writes in one call."""
_NO_AUTO_HEADERS = CIMultiDict[None]([("Content-Type", None)])


@dataclass(slots=True, eq=False)
class Outgoing:
    """A request's headers and body.

    They are not passed as session headers: a session merges names that differ only in case.
    """

    headers: CIMultiDict[str]
    body: bytes | AsyncIterable[bytes] | None
    codings: str = ""
    """Transfer codings of the body besides `chunked`."""
    _connection: OutboundProtocol | None = None
    _reused: bool = False

    def goes_out_on(self, connection: OutboundProtocol) -> None:
        self._connection, self._reused = connection, connection.used
        connection.used, connection.heard = True, False

    @property
    def died_unheard(self) -> bool:
        """Whether it was sent on a pooled connection that returned no bytes."""
        return self._reused and self._connection is not None and not self._connection.heard


class OutboundRequest(aiohttp.ClientRequest):
    """Sends exactly the given headers; `data` is an `Outgoing`."""

    def update_auto_headers(
        self,
        skip_auto_headers: Iterable[str] | None,  # noqa: ARG002 - theirs
    ) -> None:
        self._skip_auto_headers = _NO_AUTO_HEADERS

    def update_body_from_data(self, body: Any, _stacklevel: int = 3) -> None:
        self.outgoing: Outgoing = body
        self.headers.extend(body.headers)
        data = body.body
        if data is None:
            # Do not add `Content-Length: 0` if the client sent no length.
            return
        if isinstance(data, bytes) and len(data) > _LARGE_BYTES:
            data = io.BytesIO(data)
        self._body = payload.PAYLOAD_REGISTRY.get(data, disposition=None)
        if "Content-Length" not in self.headers:
            self.chunked = True

    def update_transfer_encoding(self) -> None:
        super().update_transfer_encoding()
        if self.outgoing.codings and self.chunked:
            self.headers["Transfer-Encoding"] = f"{self.outgoing.codings}, chunked"


class OutboundProtocol(ResponseHandler):
    """One connection to the upstream."""

    used = False
    """Whether it has carried a request before."""
    heard = False
    """Whether bytes have arrived for the current request."""
    _silent_at: float | None = None
    """When the idle timeout expires; None while no read waits."""

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
    """Notes each request's connection, and discards pooled connections with unread bytes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        loop = asyncio.get_running_loop()
        self._factory = lambda: OutboundProtocol(loop=loop)  # type: ignore[assignment]

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - theirs
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        while _holds_an_answer(protocol := connection.protocol):
            connection.close()
            connection = await super().connect(req, traces, timeout)
        if isinstance(protocol, OutboundProtocol) and isinstance(req, OutboundRequest):
            req.outgoing.goes_out_on(protocol)
        return connection


def _holds_an_answer(protocol: ResponseHandler | None) -> bool:
    """Whether a pooled connection received bytes after its last answer.

    The next request would take these bytes for its answer.
    """
    return isinstance(protocol, OutboundProtocol) and protocol.used and protocol.should_close
