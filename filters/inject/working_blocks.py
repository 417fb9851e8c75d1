"""Puts the working blocks of a request's scope before what is recalled for it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from recollect.memory.blocks import GAP, BlockPrompt
from recollect.memory.model.errors import StateError

from ..exchange import Exchange, Injection, Outcome, Place, RequestFilter, Verdict
from .filter import injection, places
from .options import Position

log = logging.getLogger(__name__)

ONLY_BLOCKS = "blocks"
"""The reason of a request that needs no memory, or finds none, and has working blocks."""


class WorkingBlocks(RequestFilter):
    """Reads the blocks before the gate decides; they are injected whatever its verdict is.

    A state that cannot be used costs the request its blocks, and no memory.
    """

    name = "blocks"

    def __init__(self, pages: BlockPrompt, position: Position) -> None:
        self._pages = pages
        self._first = position is Position.REPLAY
        """Whether they stand at the first message of the user, to which later turns add nothing."""

    async def request(self, exchange: Exchange) -> None:
        try:
            exchange.working = (await self._pages.page(exchange.scope)).text
        except StateError as error:
            log.warning("a chat gets no working blocks: %s: %s", error.code, error)

    def calls_out(self, exchange: Exchange) -> bool:
        return not self._pages.knows(exchange.scope)

    def settle(self, exchange: Exchange) -> None:
        """Inject them, also if nothing was recalled."""
        if not exchange.working:
            return
        ours = self._placed(exchange)
        if ours is None:
            exchange.working = ""
        else:
            exchange.injections = together(ours, exchange.injections)

    def _placed(self, exchange: Exchange) -> Injection | None:
        if not self._first:
            return injection(exchange.messages, exchange.working, exchange.place)
        place = Place.USER if exchange.place is Place.START else exchange.place
        found = [at for at in places(exchange.messages, place) if exchange.goes(at)]
        return Injection(found[0], exchange.working, place) if found else None


def with_blocks(verdict: Verdict, exchange: Exchange) -> Verdict:
    """The verdict on a request; another one if it has working blocks and nothing else."""
    nothing = verdict.outcome in {Outcome.EMPTY, Outcome.SKIPPED}
    return Verdict(Outcome.INJECTED, ONLY_BLOCKS) if nothing and exchange.working else verdict


def together(ours: Injection, others: Sequence[Injection]) -> list[Injection]:
    """All of them, in the order of their places; before one in the same place in one text with it.

    The start of a request takes one text only.
    """
    for at, other in enumerate(others):
        if (other.index, other.place) == (ours.index, ours.place):
            joined = replace(other, text=ours.text + GAP + other.text)
            return [*others[:at], joined, *others[at + 1 :]]
    return sorted([ours, *others], key=lambda one: one.index)
