"""The outcome of one chat, in the headers of its answer and in one line of the log.

The line has words and figures of ours only: no name of a user and no text. The conversation's id is
a hash; its beginning is enough to find the lines of one conversation.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote

from aiohttp import web

from recollect.filters import Exchange, Outcome, Verdict
from recollect.memory.util.correlation import CORRELATION, ID_CHARS, Ids

from ..access.naming import USER_HEADER
from ..errors import ProxyError, unexpected
from ..telemetry.totals import Totals
from .debug import explain_header

log = logging.getLogger(__name__)

OUTCOME_HEADER = "x-recollect-memory"
REASON_HEADER = "x-recollect-reason"
COUNT_HEADER = "x-recollect-count"
WITHHELD_HEADER = "x-recollect-withheld"
"""How many lines a policy kept from the model; only in answers to such requests."""
COMPRESSED_HEADER = "x-recollect-compressed"
"""How many old turns did not go upstream; only in answers to such requests."""

UNREAD = Verdict(Outcome.SKIPPED, "unreadable_body")
"""The verdict as long as nothing else is known: the request did not arrive in full."""


@dataclass(slots=True, kw_only=True)
class Report:
    """What happened to one chat so far."""

    verdict: Verdict = UNREAD
    exchange: Exchange | None = None
    learns: bool = False
    recall_seconds: float = 0.0
    status: int | None = None
    """The answer's; None if the client left before there was one."""

    @property
    def user(self) -> str | None:
        """The user whose memory was used: read, or written if the answer allows it."""
        used = self.learns or self.verdict.outcome is not Outcome.OFF
        return self.exchange.scope.user_id if self.exchange is not None and used else None

    @property
    def place(self) -> str:
        """Where the memories of this recall are in the request."""
        injections = self.exchange.injections if self.exchange is not None else ()
        return injections[-1].place.value if injections else "-"

    @property
    def count(self) -> int:
        """How many memories the model sees because of this recall."""
        return len(self.exchange.injected) if self.exchange is not None else 0

    @property
    def compressed(self) -> int:
        """How many old turns did not go upstream."""
        found = self.exchange.compressed if self.exchange is not None else None
        return len(found.turn_ids) if found is not None else 0

    def ids(self) -> Ids:
        """What the lines of this chat have in common."""
        exchange = self.exchange
        return {} if exchange is None else {"conversation": exchange.conversation_id[:ID_CHARS]}

    def headers(self, *, names_user: bool = False, explains: bool = False) -> dict[str, str]:
        """The memory headers of the answer."""
        headers = {
            OUTCOME_HEADER: self.verdict.outcome.value,
            REASON_HEADER: self.verdict.reason,
            COUNT_HEADER: str(self.count),
        }
        if self.exchange is not None and self.exchange.withheld:
            headers[WITHHELD_HEADER] = str(self.exchange.withheld)
        if self.compressed:
            headers[COMPRESSED_HEADER] = str(self.compressed)
        if names_user and self.user is not None:
            headers[USER_HEADER] = quote(self.user, safe="")
        if explains:
            headers |= explain_header(self.verdict, self.exchange)
        return headers

    def __str__(self) -> str:
        """The line of the log. Only the log's handlers call it, so that an error stays there."""
        exchange = self.exchange
        compressed = f"compressed={self.compressed} " if self.compressed else ""
        return (
            f"chat outcome={self.verdict.outcome} reason={self.verdict.reason} count={self.count} "
            f"place={self.place} {compressed}ms={self.recall_seconds * 1000:.0f} "
            f"conversation={exchange.conversation_id[:ID_CHARS] if exchange else '-'} "
            f"status={self.status or '-'}"
        )


@contextmanager
def reported(totals: Totals, note: Callable[[Report], None]) -> Iterator[Report]:
    """A report that is logged, counted and noted at the end of the chat, however it ends."""
    report = Report()
    working = CORRELATION.set(report.ids)
    totals.in_flight += 1
    try:
        yield report
    except Exception as error:
        report.status = _status_of(error)
        raise
    finally:
        totals.in_flight -= 1
        totals.chat(report.verdict, report.exchange, report.recall_seconds)
        log.info("%s", report)
        try:
            note(report)
        except Exception as error:  # noqa: BLE001 - logged; the chat is answered all the same
            unexpected(error, "noting a chat that has ended")
        CORRELATION.reset(working)


def _status_of(error: Exception) -> int | None:
    """The status of the answer to a request that failed with this error."""
    if isinstance(error, (ProxyError, web.HTTPException)):
        return error.status
    if isinstance(error, (ConnectionError, web.RequestPayloadError)):
        return None  # The client left.
    return web.HTTPInternalServerError.status_code
