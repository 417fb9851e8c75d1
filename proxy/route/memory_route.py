"""The handler of a route with memory, for any dialect: read, recall, forward, capture."""

from __future__ import annotations

from collections.abc import AsyncIterator

from aiohttp import web

from recollect.filters import Exchange, Outcome, Verdict

from ..access.access import Access
from ..errors import unexpected
from ..telemetry import Telemetry
from ..transport.incoming import Incoming
from ..transport.passthrough import Passthrough
from ..transport.relay import relay
from .debug import explain_header
from .reader import ParsedRequest, Reader
from .request_side import RequestSide
from .response_side import ResponseSide

OUTCOME_HEADER = "x-recollect-memory"
REASON_HEADER = "x-recollect-reason"
COUNT_HEADER = "x-recollect-count"

FAILED = Verdict(Outcome.DEGRADED, "internal_error")
"""The verdict after an unexpected error in the memory of a request or an answer."""


class MemoryRoute:
    """One route; a request without memory passes unchanged, and its answer's headers say why."""

    def __init__(
        self,
        reader: Reader,
        asking: RequestSide,
        listening: ResponseSide,
        *,
        access: Access,
        passthrough: Passthrough,
        telemetry: Telemetry,
    ) -> None:
        self._path = reader.dialect.path
        self._reader = reader
        self._asking = asking
        self._listening = listening
        self._access = access
        self._passthrough = passthrough
        self._telemetry = telemetry

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Read the request, recall, forward it, capture the answer."""
        with self._telemetry.request(request.method, self._path, request.headers):
            reason = self._access.foreign(request.headers)
            if reason is not None:
                # A web page must neither read memories from answers nor plant them.
                return await self._forward_unread(request, None, Verdict(Outcome.OFF, reason))
            reading = await self._reader.read(request)
            if isinstance(reading, Incoming):
                skipped = Verdict(Outcome.SKIPPED, reading.reason)
                return await self._forward_unread(request, reading.raw, skipped)
            return await self._remember(request, reading)

    async def _remember(self, request: web.Request, reading: ParsedRequest) -> web.StreamResponse:
        try:
            ready = await self._asking.prepare(request, reading)
        except Exception as error:  # noqa: BLE001 - logged; fail open: the chat goes on
            unexpected(error, f"the memory of a request to {self._path}")
            return await self._forward_unread(request, reading.raw, FAILED)
        answer = await self._passthrough.send(request, ready.headers, ready.data)
        try:
            tee = self._listening.listen(request, reading.body, ready, answer)
            said = self._said(request, ready.verdict, ready.exchange)
        except Exception as error:  # noqa: BLE001 - as above
            unexpected(error, f"the memory of an answer from {self._path}")
            tee, said = None, outcome_headers(FAILED)
        return await relay(request, answer, extra=said, tee=tee)

    async def _forward_unread(
        self, request: web.Request, raw: bytes | AsyncIterator[bytes] | None, verdict: Verdict
    ) -> web.StreamResponse:
        return await self._passthrough.forward(request, raw, extra=self._said(request, verdict))

    def _said(
        self, request: web.Request, verdict: Verdict, exchange: Exchange | None = None
    ) -> dict[str, str]:
        """The memory headers of an answer, with the explanation if the client asks for it."""
        headers = outcome_headers(verdict, exchange)
        if self._access.explains(request.headers):
            headers |= explain_header(verdict, exchange)
        return headers


def outcome_headers(verdict: Verdict, exchange: Exchange | None = None) -> dict[str, str]:
    """The memory headers that every answer has."""
    return {
        OUTCOME_HEADER: verdict.outcome.value,
        REASON_HEADER: verdict.reason,
        COUNT_HEADER: str(len(exchange.injected) if exchange is not None else 0),
    }
