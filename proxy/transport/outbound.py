"""aiohttp's client, mended where it is not transparent, and cheaper where it is called per event.

Everything here replaces a behaviour of aiohttp 3.14, most of it through methods that are not
documented: whoever moves to another version reads this file first. `tests/transparency` and
`tests/proxy/transport/test_outbound.py` tell what breaks.
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
"""Above this aiohttp warns of one bytes object, which it would write in one go."""
_NO_AUTO_HEADERS = CIMultiDict[None]([("Content-Type", None)])


@dataclass(slots=True, eq=False)
class Outgoing:
    """A request's headers and body, handed to the session as one.

    Given headers, a session merges those whose names differ by case only.
    """

    headers: CIMultiDict[str]
    body: bytes | AsyncIterable[bytes] | None
    codings: str = ""
    """What was done to the body beside cutting it into chunks."""
    _connection: OutboundProtocol | None = None
    _reused: bool = False

    def goes_out_on(self, connection: OutboundProtocol) -> None:
        """It gets this connection."""
        self._connection, self._reused = connection, connection.used
        connection.used, connection.heard = True, False

    @property
    def died_unheard(self) -> bool:
        """Whether it went out on a pooled connection that said nothing to it."""
        return self._reused and self._connection is not None and not self._connection.heard


class OutboundRequest(aiohttp.ClientRequest):
    """Sends the headers it is given and no other; `data` is an `Outgoing`."""

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
            # No `Content-Length: 0` where the client stated nothing.
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
    """Whether a request went out on it before."""
    heard = False
    """Whether anything came since it was taken for a request."""
    _silent_at: float | None = None
    """When the upstream will have been silent for too long; None while nobody waits for it."""

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """Tell the reader of a body that its framing broke.

        aiohttp closes the connection and tells nobody: the reader would wait for ever.
        """
        body = self._payload
        super().set_exception(exc, *cause)
        if isinstance(exc, HttpProcessingError) and body is not None and not body.is_eof():
            body.set_exception(aiohttp.ClientPayloadError(exc.message))

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        if self._read_timeout_handle is not None:
            self._read_timeout_handle.cancel()
            self._read_timeout_handle = None

    # The idle timeout. aiohttp cancels and makes a timer for every read, which is a good part of
    # what an event costs; here a timer that fires too early is set again.

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
    """Notes what a request goes out on, and hands out no connection that holds an answer."""

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
    """Whether a pooled connection got something since its last answer ended.

    Nobody asked for that, and whoever sends the next request on it would take it for the answer.
    """
    return isinstance(protocol, OutboundProtocol) and protocol.used and protocol.should_close
