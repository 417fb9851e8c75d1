"""The rewrite: what to search for."""

from __future__ import annotations

from ..exchange import Exchange
from .options import RewriteOptions
from .rewrite import rewrite


class Rewrite:
    """Makes the last message a query that can be understood without the ones before it."""

    name = "rewrite"

    def __init__(self, options: RewriteOptions) -> None:
        self._options = options

    async def request(self, exchange: Exchange) -> None:
        exchange.query = rewrite(exchange.messages, self._options)
