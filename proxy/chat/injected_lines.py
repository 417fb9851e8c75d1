"""Which memories went upstream in a request: by their ids, for the event log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from recollect.filters import Exchange
from recollect.memory.model.deeds import Deed, DeedKind
from recollect.memory.model.types import utc_now


class InjectedLines:
    """Tells the log of each request with memories, once however often it is sent."""

    def __init__(self, note: Callable[[Deed], None], upstream: str) -> None:
        """`upstream` is the address of the model server; nobody is told what it says of a user."""
        self._note = note
        self._upstream = without_secrets(upstream)

    def sent(self, exchange: Exchange | None) -> None:
        """A request is sent; if it has memories they may be there, whatever comes back."""
        if exchange is None or exchange.request_id:
            return
        lines = dict.fromkeys(line for one in exchange.injections for line in one.lines)
        if not lines:
            return
        exchange.request_id = secrets.token_hex(8)
        self._note(
            Deed(
                kind=DeedKind.INJECT,
                scope=exchange.scope,
                at=utc_now(),
                lines=tuple(lines),
                request=exchange.request_id,
                model=exchange.model,
                upstream=self._upstream,
            )
        )


def without_secrets(address: str) -> str:
    """The address without a name, a password or a query in it."""
    found = urlsplit(address)
    return f"{found.scheme}://{found.netloc.rpartition('@')[2]}{found.path.rstrip('/')}"
