"""The outbound client for proxied requests."""

from __future__ import annotations

import asyncio
import functools
import logging
from types import NoneType
from typing import Self

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from recollect.config.server import UpstreamOptions

from ..errors import ProxyError, upstream_timeout, upstream_unreachable
from .exchange import Body, OutboundAnswer, exchange
from .headers import HeaderLines, has_lines, lines_of, transfer_line
from .outbound import OutboundConnector
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
        self._start_for = functools.lru_cache(maxsize=_URLS)(_start_for)
        self.idle_seconds = IDLE_SECONDS
        self._connector = OutboundConnector(
            base,
            aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            limit=0,
            ttl_dns_cache=60,
            keepalive_timeout=KEEPALIVE_SECONDS,
        )

    async def send(
        self,
        method: str,
        raw_path: str,
        headers: CIMultiDict[str] | HeaderLines,
        data: Body = None,
        *,
        codings: str = "",
    ) -> OutboundAnswer:
        """The upstream's answer with an unread body. The caller closes it.

        `codings`: the transfer codings of the body besides `chunked`.

        Raises:
            ProxyError: there is no answer; 502 or 504. Or what the chunks of the body raise.
        """
        lines = headers if isinstance(headers, HeaderLines) else lines_of(headers)
        # No length of a missing body is stated if the client stated none.
        chunked = data is not None and not lines.states_length
        more = transfer_line(codings) if chunked else b""
        head = lines.head(method.encode() + self._start_for(self._base, raw_path), more)
        try:
            return await self._exchange(method, head, data, chunked=chunked)
        except aiohttp.ServerTimeoutError as error:
            log.warning("%s timed out: %s", self._named, type(error).__name__)
            raise upstream_timeout() from error
        except (aiohttp.ClientError, OSError) as error:
            if isinstance(error.__cause__, ProxyError):  # of the body, while it was sent
                raise error.__cause__ from None
            log.warning("%s cannot be reached: %s", self._named, why(error))
            raise upstream_unreachable() from error

    async def _exchange(
        self, method: str, head: bytes, data: Body, *, chunked: bool
    ) -> OutboundAnswer:
        connection, protocol = await self._connector.reach()
        protocol.begin(method, self.idle_seconds)
        try:
            return await exchange(connection, protocol, head, data, chunked=chunked)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            # A pooled connection may close while it is reused. The upstream then never got the
            # request, and a second try does not repeat the call.
            if not protocol.died_unheard or not isinstance(data, (bytes, NoneType)):
                raise
        connection, protocol = await self._connector.reach()
        protocol.begin(method, self.idle_seconds)
        return await exchange(connection, protocol, head, data, chunked=chunked)

    async def close(self) -> None:
        await self._connector.close()
        # TLS transports need a turn of the loop to close (aiohttp's documentation).
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _start_for(base: str, raw_path: str) -> bytes:
    """The first line behind the method, and `Host`."""
    url = url_for(base, raw_path)
    start = f" {url.raw_path_qs} HTTP/1.1\r\nHost: {url.host_port_subcomponent}\r\n"
    text = start.encode("utf-8", "surrogateescape")
    if not has_lines(text, 2):
        raise bad_path()
    return text


def url_for(base: str, raw_path: str) -> URL:
    """The upstream's URL for a client's path and query, without re-encoding.

    ``/v1/x`` maps to ``x`` below the base URL. Any other path is appended to the base URL without
    its final ``/v1``. Raises ProxyError: 400; dot segments lead out of the base URL.
    """
    if not raw_path.startswith("/"):
        raw_path = origin_form(raw_path)
    if leaves_base(raw_path):
        raise bad_path()
    if raw_path == API_PREFIX or raw_path.startswith((f"{API_PREFIX}/", f"{API_PREFIX}?")):
        return URL(base + raw_path.removeprefix(API_PREFIX), encoded=True)
    return URL(base.removesuffix(API_PREFIX) + raw_path, encoded=True)
