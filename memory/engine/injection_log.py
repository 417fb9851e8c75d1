"""What went to models, until it stands in the chains: written a moment later, some at a time.

Nothing waits for it. A process that is killed loses what it did not write yet, of a fifth of a
second; so do failures of the database that last for too many requests, which the log tells.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..database.deeds import SqlDeeds
from ..model.deeds import Deed, Link
from ..model.errors import StateError

log = logging.getLogger(__name__)

LINGER_SECONDS = 0.2
"""How long it waits for further requests, to write them together."""
REST_SECONDS = 2.0
"""After a failure of the database."""
MOST_WAITING = 10_000
"""Requests that wait for a database that does not answer; further ones are lost."""
MOST_AT_ONCE = 200
"""Of one transaction."""


class InjectionLog:
    """Takes what requests were given. For one event loop."""

    def __init__(self, deeds: SqlDeeds, linked: list[Callable[[Sequence[Link]], None]]) -> None:
        """`linked` are told what is written, here and with each change of memories."""
        self._deeds = deeds
        self.linked = linked
        self._waiting: list[Deed] = []
        self._some = asyncio.Event()
        self.lost = 0
        """Requests that were not written down, since the start."""

    def note(self, deed: Deed) -> None:
        """A request goes to a model with these lines."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(deed)
            self._some.set()
            return
        self.lost += 1
        if self.lost == 1:
            log.error("the event log misses what requests were given: the database does not answer")

    async def run(self) -> NoReturn:
        """Write what comes, until cancelled."""
        while True:
            await self._some.wait()
            await asyncio.sleep(LINGER_SECONDS)
            self._some.clear()
            try:
                await self.flush()
            except StateError:
                self._some.set()
                await asyncio.sleep(REST_SECONDS)

    async def flush(self) -> None:
        """Write what waits, of each tenant by itself. Raises StateError; then it waits on."""
        while self._waiting:
            tenant = self._waiting[0].scope.tenant
            some = [each for each in self._waiting if each.scope.tenant == tenant][:MOST_AT_ONCE]
            taken = set(map(id, some))
            self._waiting = [each for each in self._waiting if id(each) not in taken]
            try:
                links = await self._deeds.add(some, late=True)
            except StateError:
                self._waiting[:0] = some
                raise
            for told in self.linked:
                told(links)
