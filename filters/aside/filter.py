"""The verdict on a request that is no turn of the user."""

from __future__ import annotations

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict

REASON = "side_request"
"""The reason word of a request that a client makes about a turn."""


class Aside(RequestFilter):
    """Skips what `LastTurns` told: nothing is searched for and nothing is injected."""

    name = "aside"

    async def request(self, exchange: Exchange) -> None:
        if exchange.aside:
            exchange.verdict = Verdict(Outcome.SKIPPED, REASON)
