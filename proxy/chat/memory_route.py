"""The handler of a route with memory, for any dialect: read, recall, forward, capture."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from typing import Self

from aiohttp import web

from recollect.filters import Exchange, Outcome, Place, Verdict

from ..access.access import Access
from ..api.shares import Claimant, ShareTakenError
from ..errors import unexpected
from ..telemetry.tracing import Telemetry
from ..transport.headers import describe_edited_body
from ..transport.incoming import Incoming
from ..transport.passthrough import Passthrough, send_as
from ..transport.relay import relay
from ..transport.upstream_answer import UpstreamAnswer
from .guard import BUSY
from .placing.places import may_be_refusal
from .reader import ParsedRequest, Reader
from .recent_chats import RecentChats
from .report import Report, reported
from .request_side import PreparedRequest, RequestSide
from .response_side import ResponseSide, grant
from .tooling.loop import ToolLoop, is_readable

_AN_ERROR = 400
FAILED = Verdict(Outcome.DEGRADED, "internal_error")
"""The verdict after an unexpected error in the memory of a request or an answer."""

NOBODY = Verdict(Outcome.OFF, "no_credential")
"""The verdict on a chat whose credentials the model server refused."""


def _unrecorded(_exchange: Exchange | None) -> None:
    """Nobody asks which memories went upstream."""


class MemoryRoute:
    """One route; a request without memory passes unchanged, and its answer's headers say why."""

    def __init__(
        self,
        reader: Reader,
        preparer: RequestSide,
        listening: ResponseSide,
        *,
        access: Access,
        passthrough: Passthrough,
        telemetry: Telemetry,
    ) -> None:
        self._tools: ToolLoop | None = None
        self._path = reader.dialect.path
        self._reader = reader
        self._preparer = preparer
        self._listening = listening
        self._access = access
        self._passthrough = passthrough
        self._telemetry = telemetry
        self._went: Callable[[Exchange | None], None] = _unrecorded
        self.recent = RecentChats()
        """What became of each chat, without its text."""

    def equipped_by(self, tools: ToolLoop | None) -> Self:
        """The same route, which gives chats the tools of memory; None: no tools."""
        self._tools = tools
        return self

    def noted_by(self, recent: RecentChats) -> Self:
        """The same route, which shares `recent` with others."""
        self.recent = recent
        return self

    def recorded_by(self, sent: Callable[[Exchange | None], None]) -> Self:
        """The same route, which tells of each request that is sent."""
        self._went = sent
        return self

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Read the request, recall, forward it, capture the answer.

        It goes upstream at the path of the dialect, in whichever spelling it came.
        """
        send_as(request, self._path)
        with (
            self._telemetry.request(request.method, self._path, request.headers),
            reported(self._telemetry.totals, self.recent.note) as report,
        ):
            response = await self._answer(request, report)
            report.status = response.status
            return response

    async def _answer(self, request: web.Request, report: Report) -> web.StreamResponse:
        reason = self._access.foreign(request.headers)
        if reason is not None:
            # A web page must neither read memories from answers nor plant them.
            report.verdict = Verdict(Outcome.OFF, reason)
            return await self._forward_unread(request, None, report)
        if size := self._reader.large_size(request):
            return await self._answer_large(request, report, size)
        return await self._answer_read(request, report)

    async def _answer_large(
        self, request: web.Request, report: Report, size: int
    ) -> web.StreamResponse:
        """As any other, unless its client has many of them in work: then it passes unread."""
        with ExitStack() as held:
            try:
                held.enter_context(self._reader.large.taken(Claimant(request.remote or ""), size))
            except ShareTakenError:
                report.verdict = BUSY
                return await self._forward_unread(request, None, report)
            return await self._answer_read(request, report)

    async def _answer_read(self, request: web.Request, report: Report) -> web.StreamResponse:
        reading = await self._reader.read(request)
        if isinstance(reading, Incoming):
            report.verdict = Verdict(Outcome.SKIPPED, reading.reason)
            return await self._forward_unread(request, reading.raw, report)
        return await self._remember(request, reading, report)

    async def _remember(
        self, request: web.Request, reading: ParsedRequest, report: Report
    ) -> web.StreamResponse:
        try:
            prepared = await self._preparer.prepare(request, reading)
        except Exception as error:  # noqa: BLE001 - logged; fail open: the chat goes on
            unexpected(error, f"the memory of a request to {self._path}")
            report.verdict = FAILED
            return await self._forward_unread(request, reading.raw, report)
        report.verdict, report.exchange = prepared.verdict, prepared.exchange
        report.learns, report.recall_seconds = prepared.learns, prepared.recall_seconds
        with self._telemetry.chat(prepared.exchange, report):
            return await self._exchange(request, reading, prepared, report)

    async def _exchange(
        self,
        request: web.Request,
        reading: ParsedRequest,
        prepared: PreparedRequest,
        report: Report,
    ) -> web.StreamResponse:
        try:
            prepared, answer = await self._send(request, reading, prepared)
        except BaseException:
            grant(prepared.exchange, granted=False)
            raise
        report.verdict = prepared.verdict
        report.status = answer.status
        if self._access.is_nobody(answer.status):
            # How many memories a question found would tell a revoked key what they are about.
            report.verdict, report.exchange = NOBODY, None
        try:
            tee = self._listening.listen(request, reading.body, prepared, answer)
            said = self._said(request, report)
        except Exception as error:  # noqa: BLE001 - as above
            unexpected(error, f"the memory of an answer from {self._path}")
            report.verdict, report.exchange = FAILED, None
            tee, said = None, report.headers()
        return await relay(request, answer, said=said, tee=tee)

    async def _send(
        self, request: web.Request, reading: ParsedRequest, prepared: PreparedRequest
    ) -> tuple[PreparedRequest, UpstreamAnswer]:
        """The answer for the client, and the request that it answers.

        What the upstream may refuse because of us is sent once more without our tools, and then as
        it came: nothing of the first answer went to the client yet.
        """
        equipped = None if self._tools is None else self._tools.equipped(reading, prepared)
        if self._tools is None or equipped is None:
            return await self._sent(request, reading, prepared)
        sending = self._sending(request, prepared)
        self._went(prepared.exchange)
        answer = await sending(equipped.data)
        if answer.status < _AN_ERROR and is_readable(answer):
            self._note(prepared, answer.status)
            grant(equipped.exchange, granted=True)
            return prepared, await self._tools.answer(equipped, answer, sending)
        if answer.status >= _AN_ERROR and not may_be_refusal(answer.status, Place.TAIL):
            return prepared, answer
        answer.close()
        prepared, plain = await self._sent(request, reading, prepared)
        if plain.status < _AN_ERROR:
            self._tools.refused(equipped)
        return prepared, plain

    def _sending(
        self, request: web.Request, prepared: PreparedRequest
    ) -> Callable[[bytes], Awaitable[UpstreamAnswer]]:
        """Sends bodies of ours in the name of a request."""

        async def send(data: bytes) -> UpstreamAnswer:
            headers = prepared.headers.copy()
            describe_edited_body(headers)
            headers["Content-Length"] = str(len(data))
            headers["Accept-Encoding"] = "identity"
            return await self._passthrough.send(request, headers, data)

        return send

    async def _sent(
        self, request: web.Request, reading: ParsedRequest, prepared: PreparedRequest
    ) -> tuple[PreparedRequest, UpstreamAnswer]:
        """The upstream's answer to the request with memories, or to it as it came."""
        self._went(prepared.exchange)
        answer = await self._passthrough.send(request, prepared.headers, prepared.data)
        if prepared.place is None:
            return prepared, answer
        if not may_be_refusal(answer.status, prepared.place):
            self._note(prepared, answer.status)
            return prepared, answer
        answer.close()
        plain = self._preparer.as_it_came(request, reading, prepared)
        again = await self._passthrough.send(request, plain.headers, plain.data)
        self._note(prepared, again.status, refused=answer.status)
        return plain, again

    def _note(self, prepared: PreparedRequest, status: int, *, refused: int | None = None) -> None:
        try:
            self._preparer.took(prepared, status, refused=refused)
        except Exception as error:  # noqa: BLE001 - logged; the answer that is there goes on
            unexpected(error, "noting where a model server takes memories")

    async def _forward_unread(
        self, request: web.Request, raw: bytes | AsyncIterator[bytes] | None, report: Report
    ) -> web.StreamResponse:
        return await self._passthrough.forward(request, raw, extra=self._said(request, report))

    def _said(self, request: web.Request, report: Report) -> dict[str, str]:
        """The memory headers of an answer, with the explanation if the client asks for it."""
        return report.headers(
            names_user=self._access.tells, explains=self._access.explains(request.headers)
        )
