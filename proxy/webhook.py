"""Posts the changes of memories to a server of the operator.

Changes are delivered in their order, at least once, by the process that made them. They wait in
memory only: what a process did not deliver before it ended is in the history of its memories.
Of a memory that was forgotten meanwhile no text is sent, however often a request is repeated.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import aiohttp

from recollect.config.server import WebhookOptions
from recollect.memory.engine.engine import ChangeDict, ChangeTexts, Feed, Subscription
from recollect.memory.util.clock import CLOCK, Clock
from recollect.memory.util.tasks import Tasks

log = logging.getLogger(__name__)

ANSWER_SECONDS = 10.0
"""Longest wait for an answer."""
ATTEMPTS = 8
"""Tries of a request that fails by 408, 425, 429, 5xx or without an answer: two minutes in all.
Then its changes are dropped and logged."""
MOST_WAITING = 10_000
"""Changes that wait for delivery; of more the oldest are dropped, which a `GAP` tells."""
MOST_BYTES = 2**26
"""Of texts that wait for delivery; of more the oldest changes are dropped too."""

SIGNATURE = "x-recollect-signature"
MOST_IN_ONE = 100
"""Changes of one request."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0
DRAIN_SECONDS = 5.0
"""Longest time that the end of the process waits for what is still to be delivered."""
_LATER = frozenset({408, 425, 429})
"""With these statuses, and all from 500 on, the same request may succeed later."""
_SERVER_ERRORS = 500


@asynccontextmanager
async def delivering(
    feed: Feed, options: WebhookOptions, clock: Clock = CLOCK
) -> AsyncIterator[None]:
    """Deliver the changes of `feed` for as long as the block runs, if a URL is configured."""
    if options.url is None:
        yield
        return
    # Of several workers each delivers what it makes, so that nothing is delivered twice.
    changes = feed.subscribe(most=MOST_WAITING, most_bytes=MOST_BYTES, own=True)
    tasks = Tasks()
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        tasks.start(Webhook(options, session, clock=clock).deliver(changes), name="webhook")
        try:
            yield
        finally:
            changes.close()
            await tasks.drain(DRAIN_SECONDS)


class Webhook:
    """Posts batches of changes, and repeats those that fail."""

    def __init__(
        self, options: WebhookOptions, session: aiohttp.ClientSession, *, clock: Clock = CLOCK
    ) -> None:
        self._options = options
        self._session = session
        self._clock = clock

    async def deliver(self, changes: Subscription) -> None:
        """Deliver all changes until the subscription ends."""
        async for first in changes:
            batch = [first]
            while changes.waiting and len(batch) < MOST_IN_ONE:
                batch.append(await anext(changes))
            wanted = [change for change in batch if self._wants(change)]
            if wanted:
                await self._deliver(wanted, changes.texts)

    def _wants(self, change: ChangeDict) -> bool:
        kinds = self._options.events
        return not kinds or change["event"] in kinds

    async def _deliver(self, changes: Sequence[ChangeDict], texts: ChangeTexts) -> None:
        pause = FIRST_PAUSE_SECONDS
        for left in reversed(range(ATTEMPTS)):
            # Right before each try: they waited for the pause, or for the batch.
            told = await texts.current(changes)
            said, later = await self._post(json.dumps({"changes": told}).encode())
            if not said:
                return
            if not later or not left:
                break
            await self._clock.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        log.warning("the webhook lost %d changes: %s (events.webhook.url)", len(changes), said)

    async def _post(self, body: bytes) -> tuple[str, bool]:
        """What went wrong, empty if nothing did, and whether a repetition may help."""
        headers = {"content-type": "application/json", **self._signature(body)}
        try:
            async with self._session.post(
                str(self._options.url), data=body, headers=headers, allow_redirects=False
            ) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            return type(error).__name__, True
        if 200 <= status < 300:  # noqa: PLR2004 - the class of successes
            return "", False
        return f"HTTP {status}", status in _LATER or status >= _SERVER_ERRORS

    def _signature(self, body: bytes) -> dict[str, str]:
        secret = self._options.secret
        if secret is None:
            return {}
        return {
            SIGNATURE: sign(secret.get_secret_value(), int(self._clock.now().timestamp()), body)
        }


def sign(secret: str, at: int, body: bytes) -> str:
    """The header by which a receiver knows who sent a request, and when (Unix seconds).

    `t=<at>,v1=<hex HMAC-SHA256 of "<at>.<body>">`, so that an old request cannot be sent again.
    """
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
