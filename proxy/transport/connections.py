"""Client connections: limits on number, time and size, and the errors for what exceeds them.

aiohttp does not limit the time of a request's head or a pause in its body, nor how many clients may
keep it waiting, does not report broken framing to the reader of a body, and quotes the request in
its errors and logs. This module fixes that for every route of every port: `Runner` is the only one.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import resource
import socket
from http import HTTPStatus
from typing import Any

from aiohttp import web
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import _ErrInfo

from ..errors import AnswerCutError, ProxyError, error_response, unexpected, without_text
from .next_head import CHUNKED, LAST_BYTES, body_length, bytes_behind, bytes_behind_body
from .refusals import HEAD_TOO_LARGE, NOT_HTTP, as_openai, raw_answer, refusal_of
from .routing import ROUTING, Routing

log = logging.getLogger(__name__)

MAX_HEAD_BYTES = 2**18
"""Most bytes of a request line and headers: several times the largest single header."""
HEAD_SECONDS = 30.0
"""Longest time for the head of a request, counted from its first byte; for the first request from
the connection."""
BODY_IDLE_SECONDS = 60.0
"""Longest pause of a client within a request body."""
MAX_HEADER_BYTES = 65_536
"""Limit of one header: a credential that carries a whole JWT exceeds aiohttp's default."""
SHUTDOWN_SECONDS = 10.0
"""Longest time that a stopping server waits for running answers."""
PORT_SHARE = 8
"""Clients that keep a port waiting may hold this part of the process's file descriptors."""
TELL_SECONDS = 60.0
"""Shortest time between two lines about connections that were closed to make room."""
_MOST_DESCRIPTORS = 2**16
"""What counts if the system sets no limit, or a higher one."""
SWEEP_SECONDS = 5.0
"""Interval of the checks. A shorter limit is checked at a quarter of its time."""

_LEFT = frozenset({7, 8})
"""TCP_CLOSE and TCP_CLOSE_WAIT in Linux's netinet/tcp.h: reset, or ended by the other side."""


class ClientConnection(web.RequestHandler):
    """One client's connection, with limits on the time and size of requests."""

    __slots__ = ("_body", "_head_bytes", "_head_since", "_heard", "_last", "_length")

    def __init__(self, manager: web.Server, **options: Any) -> None:
        super().__init__(manager, **options)
        self._body: StreamReader = EMPTY_PAYLOAD
        self._length = 0
        self._last = b""
        self._heard = 0.0
        self._head_since: float | None = None
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Before others hear of it: they look at the times of all.
        self._heard = self._head_since = self._loop.time()
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._upgraded:
            super().data_received(data)
            return
        count, body, length = self._request_count, self._body, self._length
        between, had = body.is_eof(), body.total_bytes
        begun = self._last[-self._head_bytes :] if self._head_bytes else b""
        self._heard = self._loop.time()
        super().data_received(data)
        self._last = (self._last + data[-LAST_BYTES:])[-LAST_BYTES:]
        came = self._request_count - count
        if came:
            self._requests_came(body)
        if between and not came:
            self._head_goes_on(len(data))
        elif self._body.is_eof() and not self._upgraded:
            own = CHUNKED if length == CHUNKED else body.total_bytes - had
            if not came:
                self._head_begins(bytes_behind_body(data, own, self._last))
            elif between or own != CHUNKED:
                self._behind(begun + data if between else data[own:], came)
            else:
                self._head_begins(None)

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT002 - theirs
        """Restart the idle time: the client waited for us."""
        self._heard = self._loop.time()
        super().resume_reading(resume_parser)

    def sweep(self, now: float) -> None:
        """Close the connection if its client has been too slow."""
        if self.transport is None or self._upgraded:
            return
        if not self._body.is_eof():
            if self._reading_paused:
                # The upstream is slow, not the client. asyncio does not notice a disconnect here.
                if _is_gone(self.transport):
                    self.transport.abort()
            elif now - self._heard > BODY_IDLE_SECONDS:
                self._cut_body(408, "request_timeout", "The request's body stopped coming.")
        elif self._head_since is not None and now - self._head_since > HEAD_SECONDS:
            self._cut_head(408, "request_timeout", "The request's head took too long.")

    @property
    def waits_since(self) -> float | None:
        """When it began to wait for its client; None while the client waits for an answer."""
        if self._upgraded:
            return None
        request = self._current_request
        if request is None:
            if self._messages:
                return None
            return self._heard if self._head_since is None else self._head_since
        answered = request.writer.output_size > 0
        inside = not (answered or self._reading_paused or request.content.is_eof())
        return self._heard if inside else None

    def drop(self) -> None:
        """Close the connection at once: others need its place."""
        if self.transport is not None:
            self.transport.abort()

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send an answer; aiohttp's own errors get the format of our errors."""
        count, tail = self._request_count, self._message_tail
        if isinstance(resp, web.HTTPException):
            resp = as_openai(resp)
        try:
            return await super().finish_response(request, resp, start_time)
        except ValueError as error:
            # The upstream sent a header with control characters.
            refusal = self.handle_error(request, HTTPStatus.BAD_GATEWAY, error)
            return await super().finish_response(request, refusal, start_time)
        finally:
            if tail and not self._upgraded:
                # What came behind a refused upgrade has been parsed just now.
                self._note_behind_upgrade(tail, self._request_count - count)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - it quotes the client
    ) -> web.StreamResponse:
        """The answer to an invalid request or a failed handler; it closes the connection.

        Raises:
            ConnectionError: an answer has begun already.
        """
        if isinstance(exc, AnswerCutError):
            raise exc
        refusal = refusal_of(status, exc)
        if refusal.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            refusal = unexpected(exc, "a connection")
        else:
            log.info("refused a request: %s (%s)", refusal.code, type(exc).__name__)
        if request.writer.output_size > 0:
            raise ConnectionError("an answer has begun")
        response = error_response(refusal, anybody=True)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log the place and type of an error, without its text, which may quote a request."""
        error = kw.get("exc_info")
        if isinstance(error, BaseException):
            log.error("%s: %s\n%s", args[0], *without_text(error))
        else:
            log.error("%s", args[0])

    def _requests_came(self, before: StreamReader) -> None:
        broken = isinstance(self._messages[-1][0], _ErrInfo)
        if broken and not before.is_eof():
            self._cut_body(400, "bad_request", NOT_HTTP)
            return
        self._note_last()

    def _note_last(self) -> None:
        """From now on, received bytes belong to the body of the last request."""
        message, self._body = self._messages[-1]
        self._length = body_length(message)
        self._head_since = None
        self._head_bytes = 0

    def _note_behind_upgrade(self, tail: bytes, came: int) -> None:
        if not came:
            self._head_goes_on(len(tail))
            return
        self._note_last()
        if self._body.is_eof():
            self._behind(tail, came)

    def _behind(self, text: bytes, came: int) -> None:
        """`text` had the last `came` requests, to their ends."""
        lengths = [self._length]  # of the last one
        if came > 1:
            newest = itertools.islice(reversed(self._messages), came)
            lengths = [body_length(message) for message, _ in newest][::-1]
        self._head_begins(bytes_behind(text, lengths))

    def _head_begins(self, size: int | None) -> None:
        """The next head came along with a request: `size` bytes, or perhaps some."""
        if size:
            self._head_goes_on(size)
        elif size is None:
            self._head_since = self._heard

    def _head_goes_on(self, size: int) -> None:
        if not size:
            return
        if self._head_since is None:
            self._head_since = self._heard
        self._head_bytes += size
        if self._head_bytes > MAX_HEAD_BYTES:
            self._cut_head(431, "request_head_too_large", HEAD_TOO_LARGE)

    def _cut_head(self, status: int, code: str, message: str) -> None:
        if self._waiter is None or self._waiter.done():
            return  # An earlier request of this connection is still being answered.
        self._cut(status, code, message, tell=self._head_bytes > 0)

    def _cut_body(self, status: int, code: str, message: str) -> None:
        """End a request with an incomplete body, and its upstream request."""
        request = self._current_request
        own = request is not None and request.content is self._body
        if not own and request is not None:
            # An earlier request is answered first; the reader of this body gets the error.
            self._body.set_exception(web.RequestPayloadError(message))
            return
        begun = request is not None and request.writer.output_size > 0
        if begun and status == HTTPStatus.REQUEST_TIMEOUT:
            return  # The answer has begun without the body; aiohttp waits for the rest after it.
        self._body.set_exception(web.RequestPayloadError(message))
        self._cut(status, code, message, tell=not begun)

    def _cut(self, status: int, code: str, message: str, *, tell: bool) -> None:
        log.info("closed a client's connection: %s", code)
        if tell and self.transport is not None:
            self.transport.write(raw_answer(ProxyError(status, code, message)))
        self.force_close()


class Connections(web.Server):
    """Creates connections, bounds their number, and checks them while any are open.

    Of those whose clients keep it waiting, with half a head, half a body or nothing, more than
    `most_waiting` are too many: those that have waited for longest are closed. So no number of them
    keeps another client out, and none is closed that waits for an answer.
    """

    def __init__(self, made: web.Server, routing: Routing | None) -> None:
        super().__init__(
            made.request_handler if routing is None else routing.handle,  # type: ignore[arg-type]
            request_factory=made.request_factory,
            handler_cancellation=made.handler_cancellation,
            loop=made._loop,  # noqa: SLF001 - there is no other way to a handler class of our own
            **made._kwargs,  # noqa: SLF001
        )
        self._every = min(SWEEP_SECONDS, HEAD_SECONDS / 4, BODY_IDLE_SECONDS / 4)
        self._timer: asyncio.TimerHandle | None = None
        self._closed, self._tells_at = 0, 0.0
        self._waiting = 0  # when they were counted last
        self._unseen = 0  # that came since

    def __call__(self) -> ClientConnection:
        return ClientConnection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        self._unseen += 1
        most = most_waiting()
        if len(self._connections) > most and self._waiting + self._unseen > most:
            self._make_room(most)
        if self._timer is None:
            self._timer = self._loop.call_later(self._every, self._sweep)

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - theirs
        if self._timer is not None:
            self._timer.cancel()
        await super().shutdown(timeout)

    def _make_room(self, most: int) -> None:
        """For an eighth more than one, so that a flood is not looked over at each connection."""
        waiting = [
            (since, connection)
            for connection in self.connections
            if isinstance(connection, ClientConnection)
            and (since := connection.waits_since) is not None
        ]
        waiting.sort(key=lambda each: each[0])
        closed = waiting[: len(waiting) - most + most // 8] if len(waiting) > most else []
        for _, connection in closed:
            connection.drop()
        self._waiting, self._unseen = len(waiting) - len(closed), 0
        self._closed += len(closed)
        if self._closed and (now := self._loop.time()) >= self._tells_at:
            log.warning(
                "closed %d connections whose clients kept this port waiting, of more than %d",
                self._closed,
                most,
            )
            self._closed, self._tells_at = 0, now + TELL_SECONDS

    def _sweep(self) -> None:
        now = self._loop.time()
        for connection in self.connections:
            if isinstance(connection, ClientConnection):
                connection.sweep(now)
        again = bool(self.connections)
        self._timer = self._loop.call_later(self._every, self._sweep) if again else None


class Runner(web.AppRunner):
    """Serves an application on a port as a transparent proxy does, with `Connections`."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(
            app,
            # A client that disconnects cancels its handler and with it the request upstream.
            handler_cancellation=True,
            # Compressed request bodies pass unchanged.
            auto_decompress=False,
            access_log=None,
            shutdown_timeout=SHUTDOWN_SECONDS,
            max_field_size=MAX_HEADER_BYTES,
            max_line_size=MAX_HEADER_BYTES,
        )

    async def _make_server(self) -> web.Server:
        return Connections(await super()._make_server(), self.app.get(ROUTING))

    @property
    def urls(self) -> list[str]:
        """Where it listens, once it has been started."""
        return [
            f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
            for host, port, *_ in self.addresses
        ]


def most_waiting() -> int:
    """How many connections of clients that keep it waiting a port of this process may have."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = limit == resource.RLIM_INFINITY
    return (_MOST_DESCRIPTORS if unlimited else min(limit, _MOST_DESCRIPTORS)) // PORT_SHARE


def _is_gone(transport: asyncio.BaseTransport) -> bool:
    """Whether the peer has closed a connection that is not being read (Linux only)."""
    socket_ = transport.get_extra_info("socket")
    if socket_ is None or not hasattr(socket, "TCP_INFO"):
        return False
    [state] = socket_.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    return state in _LEFT
