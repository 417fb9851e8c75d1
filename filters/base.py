"""What a filter is."""

from __future__ import annotations

from typing import Protocol

from .exchange import Exchange


class RequestFilter(Protocol):
    """One step between a request and its memories.

    Runs once for a request, after the filters before it in `filters.request_filters` and only if
    none of them set `exchange.verdict`. May take its time and may raise: the pipeline around it has
    the deadline and decides what a failure means. It never sees the bytes of the request.
    """

    @property
    def name(self) -> str:
        """For spans and logs."""

    async def request(self, exchange: Exchange) -> None:
        """Read the exchange, note something in it."""
