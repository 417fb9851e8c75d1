"""Trial recalls before the first request: they load every part of a recall.

What is loaded on first use (pages of the weights, tables of the tokenizer, patterns, a connection)
would otherwise count against the deadline of the first chats. The times also show how quick this
machine is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from recollect.filters import Exchange, RequestFilter
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import Message, Scope

log = logging.getLogger(__name__)

RECALLS = 4
"""The first one loads, the others are measured."""
MOST_SECONDS = 5.0
"""A part that is slower delays no start."""
WARM_UP_SCOPE = Scope(tenant="recollect", run_id="warm-up")


async def warm_up(
    filters: Sequence[RequestFilter], clock: Callable[[], float] = time.monotonic
) -> float | None:
    """Run some recalls of no user's memories, one after the other. Raises only cancellation.

    Returns the seconds of the quickest, without the first; None if a part failed or was too slow.
    """
    try:
        async with asyncio.timeout(MOST_SECONDS):
            times = [await _recall(filters, number, clock) for number in range(RECALLS)]
    except (RecollectError, TimeoutError) as error:
        log.info("no recall was tried before the first request: %s", type(error).__name__)
        return None
    except Exception:
        # Fail open: a defect of a recall must not prevent the start.
        log.exception("a recall before the first request failed with an unexpected error")
        return None
    return min(times[1:])


async def _recall(
    filters: Sequence[RequestFilter], number: int, clock: Callable[[], float]
) -> float:
    # Each text is different, because vectors of texts are cached.
    question = Message(role="user", content=f"Which tea did I like best on day {number}?")
    exchange = Exchange(
        scope=WARM_UP_SCOPE,
        messages=[question],
        model="",
        conversation_id="warm-up",
        turn_id=f"warm-up {number}",
    )
    began = clock()
    for step in filters:
        await step.request(exchange)
        if exchange.verdict is not None:
            break
    return clock() - began
