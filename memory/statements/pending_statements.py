"""Statements that are not embedded yet: whoever writes next may wait for them."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from ..model.types import Scope, Turn, utc_now

log = logging.getLogger(__name__)

WAIT_SECONDS = 0.25
"""Longest time that a message waits: embedding a sentence takes some milliseconds."""
RECENT = timedelta(seconds=30)
"""What was said longer ago is not waited for."""


class PendingStatements:
    """The turns that are not embedded yet, by their user."""

    def __init__(self) -> None:
        self._turns: dict[tuple[str, str | None], dict[str, asyncio.Event]] = {}
        self.awaited = 0
        """Messages that wait."""

    def add(self, turn: Turn) -> None:
        """Whoever asks is to wait for this turn, until `drop`."""
        if utc_now() - turn.created_at < RECENT:
            own = self._turns.setdefault((turn.scope.tenant, turn.scope.user_id), {})
            own.setdefault(turn.id, asyncio.Event())

    def drop(self, turn: Turn) -> None:
        """It says nothing, is embedded, or is given up."""
        owner = turn.scope.tenant, turn.scope.user_id
        own = self._turns.get(owner, {})
        if event := own.pop(turn.id, None):
            event.set()
        if not own:
            self._turns.pop(owner, None)

    async def settled(self, scope: Scope) -> bool:
        """Wait for the turns of a user; returns whether there were any."""
        own = self._turns.get((scope.tenant, scope.user_id))
        if not own:
            return False  # as nearly always
        self.awaited += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                for event in list(own.values()):
                    await event.wait()
        except TimeoutError:
            log.info("a message goes on without what was said just before it")
        finally:
            self.awaited -= 1
        return True
