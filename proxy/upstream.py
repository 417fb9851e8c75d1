"""The one outbound client for proxied requests."""

from __future__ import annotations

import asyncio
import functools
import logging
from contextvars import ContextVar
from types import NoneType, TracebackType
from typing import Any, Self

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.tracing import Trace
from multidict import CIMultiDict
from yarl import URL

from config.server import UpstreamOptions

from .errors import upstream_timeout, upstream_unreachable
from .paths import API_PREFIX, bad_path, leaves_base, origin_form

log = logging.getLogger(__name__)

KEEPALIVE_SECONDS = 15.0
"""Idle connections are dropped before common servers drop them (aiohttp's default, stated)."""


class _Protocol(ResponseHandler):
    """Tells the reader of a body that its framing broke.

    aiohttp 3.14 closes the connection and tells nobody: the reader would wait for ever.
    """

    used = False
    """Whether a request went out on it before."""

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        body = self._payload
        super().set_exception(exc, *cause)
        if isinstance(exc, HttpProcessingError) and body is not None and not body.is_eof():
            body.set_exception(aiohttp.ClientPayloadError(exc.message))


def _holds_an_answer(protocol: ResponseHandler | None) -> bool:
    """Whether a pooled connection got something since its last answer ended.

    Nobody asked for that, and whoever sends the next request on it would take it for the answer.
    """
    return isinstance(protocol, _Protocol) and protocol.used and protocol.should_close


_REUSED: ContextVar[bool] = ContextVar("reused", default=False)
"""Whether the connection that this task's last request went out on had served another before."""


class _Connector(aiohttp.TCPConnector):
    """Notes whether a request gets a pooled connection."""

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
        _REUSED.set(isinstance(protocol, _Protocol) and protocol.used)
        if isinstance(protocol, _Protocol):
            protocol.used = True
        return connection


class Upstream:
    """Sends requests on as they are.

    No redirects, no cookies, no decompression, no added headers, no limit on connections, and none
    on how long an answer may take as long as it moves.
    """

    def __init__(self, options: UpstreamOptions) -> None:
        self._base = URL(options.base_url)
        self.idle_seconds = options.idle_seconds
        connector = _Connector(limit=0, ttl_dns_cache=60, keepalive_timeout=KEEPALIVE_SECONDS)
        connector._factory = functools.partial(  # type: ignore[assignment]  # noqa: SLF001
            _Protocol, loop=asyncio.get_running_loop()
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=options.connect_seconds, sock_read=options.idle_seconds
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent", "Content-Type"),
            max_line_size=65_536,
            max_field_size=65_536,
        )

    async def send(
        self, method: str, raw_path: str, headers: CIMultiDict[str], data: Any = None
    ) -> aiohttp.ClientResponse:
        """The upstream's answer, headers read, body not. The caller closes it.

        Raises:
            ProxyError: there is no answer; 502 or 504.
        """
        try:
            try:
                return await self._request(method, raw_path, headers, data)
            except (aiohttp.ServerDisconnectedError, ConnectionResetError):
                # A pooled connection may end while we take it. The upstream then never saw the
                # request, and a second try is no second call; aiohttp does this for GET only.
                if not _REUSED.get() or not isinstance(data, (bytes, NoneType)):
                    raise
                return await self._request(method, raw_path, headers, data)
        except aiohttp.ServerTimeoutError as error:
            log.warning("upstream timed out: %s", type(error).__name__)
            raise upstream_timeout() from error
        except (aiohttp.ClientError, OSError) as error:
            log.warning("upstream cannot be reached: %s", type(error).__name__)
            raise upstream_unreachable() from error

    async def _request(
        self, method: str, raw_path: str, headers: CIMultiDict[str], data: Any
    ) -> aiohttp.ClientResponse:
        return await self._session.request(
            method, self.url_for(raw_path), headers=headers, data=data, allow_redirects=False
        )

    def url_for(self, raw_path: str) -> URL:
        """Where a client's path and query lead, without re-encoding either.

        ``/v1/x`` means ``x`` below the base URL. Any other path is taken from the server's root if
        the base URL ends in ``/v1`` as well, and from the base URL if not.

        Raises:
            ProxyError: 400; dot segments lead out of there, or it is no path.
        """
        if not raw_path.startswith("/"):
            raw_path = origin_form(raw_path)
        if leaves_base(raw_path):
            raise bad_path()
        base = str(self._base)
        if raw_path == API_PREFIX or raw_path.startswith((f"{API_PREFIX}/", f"{API_PREFIX}?")):
            return URL(base + raw_path.removeprefix(API_PREFIX), encoded=True)
        return URL(base.removesuffix(API_PREFIX) + raw_path, encoded=True)

    async def close(self) -> None:
        """Close the pool."""
        await self._session.close()
        # aiohttp: TLS transports need a turn of the loop to close.
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
