"""The rewrite as a step of the pipeline."""

from __future__ import annotations

from recollect.memory.recall import Query

from ..base import RequestFilter
from ..exchange import Exchange
from .options import RewriteOptions
from .rewrite import rewrite, tidied


class Rewrite(RequestFilter):
    """Turns the last message into a self-contained query."""

    name = "rewrite"

    def __init__(self, options: RewriteOptions) -> None:
        self._options = options

    async def request(self, exchange: Exchange) -> None:
        if exchange.wishes_only:
            return
        heard = exchange.heard
        text = rewrite(heard, self._options)
        as_is = text == tidied(heard, self._options)
        exchange.query = Query(text)
        exchange.notes["rewrite"] = "as_is" if as_is else "terms"
