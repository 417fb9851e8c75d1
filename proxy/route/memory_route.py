"""The handler of a route with memory: read, ask memory, forward, listen, in whichever dialect."""

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
from .reader import Reader, Reading
from .request_side import RequestSide
from .response_side import ResponseSide

OUTCOME_HEADER = "x-recollect-memory"
REASON_HEADER = "x-recollect-reason"
COUNT_HEADER = "x-recollect-count"

FAILED = Verdict(Outcome.DEGRADED, "internal_error")
"""Of a request or an answer around whose memory something broke that nobody expected."""


class MemoryRoute:
    """One route; every request of it that memory cannot help passes untouched and says why."""

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
        """Read, ask memory, forward, listen."""
        with self._telemetry.request(request.method, self._path, request.headers):
            reason = self._access.foreign(request.headers)
            if reason is not None:
                # A web page must neither read memories out of answers nor plant any.
                return await self._forward_unread(request, None, Verdict(Outcome.OFF, reason))
            reading = await self._reader.read(request)
            if isinstance(reading, Incoming):
                skipped = Verdict(Outcome.SKIPPED, reading.reason)
                return await self._forward_unread(request, reading.raw, skipped)
            return await self._remember(request, reading)

    async def _remember(self, request: web.Request, reading: Reading) -> web.StreamResponse:
        try:
            ready = await self._asking.prepare(request, reading)
        except Exception as error:  # noqa: BLE001 - told in the log, and promise 2: the chat goes on
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
        """What we tell the client about memory, and why if it asks."""
        headers = outcome_headers(verdict, exchange)
        if self._access.explains(request.headers):
            headers |= explain_header(verdict, exchange)
        return headers


def outcome_headers(verdict: Verdict, exchange: Exchange | None = None) -> dict[str, str]:
    """What we tell every client about memory."""
    return {
        OUTCOME_HEADER: verdict.outcome.value,
        REASON_HEADER: verdict.reason,
        COUNT_HEADER: str(len(exchange.injected) if exchange is not None else 0),
    }
