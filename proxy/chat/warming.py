"""A trial recall before the first request: it loads every part of a recall.

What is loaded on first use (pages of the weights, tables of the tokenizer, patterns, a connection)
would otherwise count against the deadline of the first chats.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from recollect.filters import Exchange, RequestFilter
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import Message, Scope

log = logging.getLogger(__name__)

MOST_SECONDS = 5.0
"""A part that is slower delays no start."""
WARM_UP_SCOPE = Scope(tenant="recollect", run_id="warm-up")


async def warm_up(filters: Sequence[RequestFilter]) -> None:
    """Run a recall of no user's memories. Raises only cancellation."""
    try:
        async with asyncio.timeout(MOST_SECONDS):
            await _recall(filters)
    except (RecollectError, TimeoutError) as error:
        log.info("no recall was tried before the first request: %s", type(error).__name__)
    except Exception:
        # Fail open: a defect of a recall must not prevent the start.
        log.exception("a recall before the first request failed with an unexpected error")


async def _recall(filters: Sequence[RequestFilter]) -> None:
    question = Message(role="user", content="Which tea did I like best on day 1?")
    exchange = Exchange(
        scope=WARM_UP_SCOPE,
        messages=[question],
        model="",
        conversation_id="warm-up",
        turn_id="warm-up",
    )
    for step in filters:
        await step.request(exchange)
        if exchange.verdict is not None:
            break
