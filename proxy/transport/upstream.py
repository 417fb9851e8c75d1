"""The outbound client for proxied requests."""

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

from ..errors import ProxyError, upstream_timeout, upstream_unreachable
from .outbound import OutboundConnector, OutboundRequest, Outgoing
from .paths import API_PREFIX, bad_path, leaves_base, origin_form
from .unreachable import why

log = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 600.0
"""Longest silence of the upstream before the first byte and between two bytes of an answer, and of
a tunnel. OpenAI's clients give up after the same time. The whole answer has no time limit."""
KEEPALIVE_SECONDS = 15.0
"""Idle connections are closed before common servers close them (aiohttp's default)."""
_URLS = 512
"""Size of the URL cache."""


class Upstream:
    """Forwards requests unchanged.

    No redirects, cookies, decompression or added headers. No limit on connections, and none on the
    duration of an answer that makes progress.
    """

    def __init__(self, options: UpstreamOptions) -> None:
        self._base = options.base_url
        base = URL(options.base_url)
        self._named = f"the upstream {base.host}:{base.port} (upstream.base_url)"
        # Most requests have one of a few paths, and URL objects cache their parsed parts.
        self._url_for = functools.lru_cache(maxsize=_URLS)(_url_for)
        self.idle_seconds = IDLE_SECONDS
        self._session = aiohttp.ClientSession(
            connector=OutboundConnector(
                limit=0, ttl_dns_cache=60, keepalive_timeout=KEEPALIVE_SECONDS
            ),
            request_class=OutboundRequest,
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=CONNECT_SECONDS, sock_read=self.idle_seconds
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=65_536,
            max_field_size=65_536,
        )
        # aiohttp's own retry, for GET and the like, ignores whether the request was received.
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
        """The upstream's answer with an unread body. The caller closes it.

        `codings`: the transfer codings of the body besides `chunked`.

        Raises:
            ProxyError: there is no answer; 502 or 504. Or what the chunks of the body raise.
        """
        url, outgoing = self.url_for(raw_path), Outgoing(headers, data, codings)
        try:
            try:
                return await self._request(method, url, outgoing)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                # A pooled connection may close while it is reused. The upstream then never got the
                # request, and a second try does not repeat the call.
                if not outgoing.died_unheard or not isinstance(data, (bytes, NoneType)):
                    raise
                return await self._request(method, url, outgoing)
        except aiohttp.ServerTimeoutError as error:
            log.warning("%s timed out: %s", self._named, type(error).__name__)
            raise upstream_timeout() from error
        except (aiohttp.ClientError, OSError) as error:
            if isinstance(error.__cause__, ProxyError):  # of the body, while it was sent
                raise error.__cause__ from None
            log.warning("%s cannot be reached: %s", self._named, why(error))
            raise upstream_unreachable() from error

    async def _request(self, method: str, url: URL, outgoing: Outgoing) -> aiohttp.ClientResponse:
        return await self._session.request(method, url, data=outgoing, allow_redirects=False)

    def url_for(self, raw_path: str) -> URL:
        """The upstream's URL for a client's path and query, without re-encoding.

        ``/v1/x`` maps to ``x`` below the base URL. Any other path is appended to the base URL
        without its final ``/v1``.

        Raises:
            ProxyError: 400; dot segments lead out of the base URL, or the target has no path.
        """
        return self._url_for(self._base, raw_path)

    async def close(self) -> None:
        await self._session.close()
        # TLS transports need a turn of the loop to close (aiohttp's documentation).
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
