"""The one outbound client for proxied requests."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import AsyncIterable
from types import NoneType, TracebackType
from typing import Self

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from recollect.config.server import UpstreamOptions

from ..errors import upstream_timeout, upstream_unreachable
from .outbound import OutboundConnector, OutboundRequest, Outgoing
from .paths import API_PREFIX, bad_path, leaves_base, origin_form

log = logging.getLogger(__name__)

KEEPALIVE_SECONDS = 15.0
"""Idle connections are dropped before common servers drop them (aiohttp's default, stated)."""
_URLS = 512
"""Targets whose URL is remembered."""


class Upstream:
    """Sends requests on as they are.

    No redirects, no cookies, no decompression, no added headers, no limit on connections, and none
    on how long an answer may take as long as it moves.
    """

    def __init__(self, options: UpstreamOptions) -> None:
        self._base = options.base_url
        # Few paths are most of the traffic, and a URL keeps what was worked out of it.
        self._url_for = functools.lru_cache(maxsize=_URLS)(_url_for)
        self.idle_seconds = options.idle_seconds
        self._session = aiohttp.ClientSession(
            connector=OutboundConnector(
                limit=0, ttl_dns_cache=60, keepalive_timeout=KEEPALIVE_SECONDS
            ),
            request_class=OutboundRequest,
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=options.connect_seconds, sock_read=options.idle_seconds
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=65_536,
            max_field_size=65_536,
        )
        # Its own second try, for GET and the like, does not ask whether the first was received.
        self._session._retry_connection = False  # noqa: SLF001

    async def send(
        self,
        method: str,
        raw_path: str,
        headers: CIMultiDict[str],
        data: bytes | AsyncIterable[bytes] | None = None,
        *,
        codings: str = "",
    ) -> aiohttp.ClientResponse:
        """The upstream's answer, headers read, body not. The caller closes it.

        `codings`: transfer codings that the body came with.

        Raises:
            ProxyError: there is no answer; 502 or 504.
        """
        url, outgoing = self.url_for(raw_path), Outgoing(headers, data, codings)
        try:
            try:
                return await self._request(method, url, outgoing)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                # A pooled connection may end while we take it. The upstream then never saw the
                # request, and a second try is no second call.
                if not outgoing.died_unheard or not isinstance(data, (bytes, NoneType)):
                    raise
                return await self._request(method, url, outgoing)
        except aiohttp.ServerTimeoutError as error:
            log.warning("upstream timed out: %s", type(error).__name__)
            raise upstream_timeout() from error
        except (aiohttp.ClientError, OSError) as error:
            log.warning("upstream cannot be reached: %s", type(error).__name__)
            raise upstream_unreachable() from error

    async def _request(self, method: str, url: URL, outgoing: Outgoing) -> aiohttp.ClientResponse:
        return await self._session.request(method, url, data=outgoing, allow_redirects=False)

    def url_for(self, raw_path: str) -> URL:
        """Where a client's path and query lead, without re-encoding either.

        ``/v1/x`` means ``x`` below the base URL. Any other path is taken from the server's root if
        the base URL ends in ``/v1`` as well, and from the base URL if not.

        Raises:
            ProxyError: 400; dot segments lead out of there, or it is no path.
        """
        return self._url_for(self._base, raw_path)

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


def _url_for(base: str, raw_path: str) -> URL:
    if not raw_path.startswith("/"):
        raw_path = origin_form(raw_path)
    if leaves_base(raw_path):
        raise bad_path()
    if raw_path == API_PREFIX or raw_path.startswith((f"{API_PREFIX}/", f"{API_PREFIX}?")):
        return URL(base + raw_path.removeprefix(API_PREFIX), encoded=True)
    return URL(base.removesuffix(API_PREFIX) + raw_path, encoded=True)
