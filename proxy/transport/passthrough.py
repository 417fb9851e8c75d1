"""Forwards the requests that are not edited."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

from aiohttp import web
from multidict import CIMultiDict

from ..errors import ProxyError
from ..telemetry.tracing import Telemetry
from .direct import arrived
from .exchange import OutboundAnswer
from .headers import (
    HeaderLines,
    forwarded_request_headers,
    forwarded_request_lines,
    transfer_codings,
)
from .no_memory_answers import said_of
from .relay import relay
from .tunnel import SWITCHED, Tunnels, handshake_headers, wants_websocket
from .upstream import Upstream

log = logging.getLogger(__name__)

READ_BYTES = 2**18
"""Request bodies up to this size are read first and sent in one write with the headers."""
_SENT_AS = web.RequestKey("sent_as", str)


def send_as(request: web.Request, path: str) -> None:
    """Have a request go upstream at this path of the API, with the query string it came with."""
    query = request.rel_url.raw_query_string
    request[_SENT_AS] = f"{path}?{query}" if query else path


class Watch(Protocol):
    """Looks at the bodies that go upstream."""

    def in_body(self, data: bytes) -> ProxyError | None:
        """Why a body must not go; None if it may."""

    def passed(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks of a body as they may go. Raises ProxyError where they may not."""


class Passthrough:
    """Forwards requests and answers unchanged."""

    def __init__(
        self, upstream: Upstream, telemetry: Telemetry, watch: Watch | None = None
    ) -> None:
        """Without `watch` every body goes upstream."""
        self._upstream = upstream
        self._telemetry = telemetry
        self._watch = watch
        self.tunnels = Tunnels(upstream.idle_seconds)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if not self._telemetry.enabled:
            return await self.forward(request)
        # The path may contain ids, so it is not in the span's name.
        with self._telemetry.request(request.method, "passthrough", request.headers):
            return await self.forward(request)

    async def forward(
        self,
        request: web.Request,
        raw: bytes | AsyncIterator[bytes] | None = None,
        *,
        extra: Mapping[str, str] | None = None,
    ) -> web.StreamResponse:
        """Relay a request; `raw` is its body if it was read already.

        Raises:
            ProxyError: there is no answer (502 or 504), or the body must not go upstream.
        """
        if "Upgrade" in request.headers and wants_websocket(request):
            return await self._tunnel(request)
        headers = (
            forwarded_request_headers(request.raw_headers)
            if self._telemetry.enabled  # adds headers of its own
            else forwarded_request_lines(request.raw_headers)
        )
        data: Any = raw
        if raw is None and request.body_exists:
            length = request.content_length
            if length is None or length > READ_BYTES:
                data = request.content.iter_any()
            elif (data := arrived(request.content)) is None:
                data = await request.read()
        if data is not None:
            data = self._watched(data)
        codings = transfer_codings(request.raw_headers)
        answer = await self.send(request, headers, data, codings=codings)
        return await relay(request, answer, said=extra or said_of(request.path))

    async def send(
        self,
        request: web.Request,
        headers: CIMultiDict[str] | HeaderLines,
        data: Any = None,
        *,
        codings: str = "",
    ) -> OutboundAnswer:
        """Send a request with these headers and this body; returns the upstream's answer.

        Raises:
            ProxyError: there is no answer; 502 or 504.
        """
        if not isinstance(headers, HeaderLines):
            self._telemetry.propagate(headers)
        target = request.get(_SENT_AS, request.raw_path)
        return await self._upstream.send(request.method, target, headers, data, codings=codings)

    def _watched(self, data: bytes | AsyncIterator[bytes]) -> bytes | AsyncIterator[bytes]:
        """A body that may go upstream. Raises ProxyError."""
        if self._watch is None:
            return data
        if not isinstance(data, bytes):
            return self._watch.passed(data)
        if (refusal := self._watch.in_body(data)) is not None:
            raise refusal
        return data

    async def _tunnel(self, request: web.Request) -> web.StreamResponse:
        """Relay a WebSocket handshake; without a 101 the answer is relayed like any other."""
        answer = await self.send(request, handshake_headers(request))
        if answer.status == SWITCHED:
            return await self.tunnels.carry(request, answer)
        return await relay(request, answer, said=said_of(request.path))
