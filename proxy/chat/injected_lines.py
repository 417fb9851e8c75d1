"""Which memories went upstream in a request: by their ids, for the event log."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from recollect.filters import Exchange
from recollect.memory.model.deeds import Deed, DeedKind, DeedLine, digest_of
from recollect.memory.model.types import utc_now

TOOL = "tool"
"""Why memories went upstream: the model called a tool. Else they were recalled."""


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
        self._tell(exchange, (line for one in exchange.injections for line in one.lines))

    def returned(self, exchange: Exchange, value: Mapping[str, Any]) -> None:
        """A tool that the model called is answered with this, which goes upstream."""
        self._tell(exchange, lines_in(value), why=TOOL)

    def _tell(self, exchange: Exchange, shown: Iterable[DeedLine], *, why: str = "") -> None:
        lines = dict.fromkeys(shown)
        if not lines:
            return
        exchange.request_id = exchange.request_id or secrets.token_hex(8)
        self._note(
            Deed(
                kind=DeedKind.INJECT,
                scope=exchange.scope,
                at=utc_now(),
                lines=tuple(lines),
                why=why,
                request=exchange.request_id,
                model=exchange.model,
                upstream=self._upstream,
            )
        )


def lines_in(value: object) -> Iterator[DeedLine]:
    """The memories that the answer of a tool shows: whatever has an id and a text. Pure."""
    if isinstance(value, Mapping):
        texts = (value.get(name) for name in _TEXTS)
        text = next((each for each in texts if isinstance(each, str)), None)
        if text is not None and isinstance(value.get("id"), str):
            yield DeedLine(value["id"], digest_of(text))
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from lines_in(each)


_TEXTS = ("fact", "memory", "text")


def without_secrets(address: str) -> str:
    """The address without a name, a password or a query in it."""
    found = urlsplit(address)
    return f"{found.scheme}://{found.netloc.rpartition('@')[2]}{found.path.rstrip('/')}"
