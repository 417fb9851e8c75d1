"""Messages on their way to other processes, in their order; whoever puts one does not wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..model.errors import StateError
from .mesh import Handler

log = logging.getLogger(__name__)

MOST_WAITING = 10_000
"""Messages that wait; further ones are dropped, and logged."""
AT_A_TIME = 20
"""Messages that are sent together: each may have the texts of a memory."""


class Others(Protocol):
    """Processes that hear each other."""

    def on(self, topic: str, handler: Handler) -> None:
        """Act on messages about this topic with `handler`."""

    async def tell(self, topic: str, **values: Any) -> None:
        """Tell all of them. Raises StateError if one may not have heard it."""


class Outbox:
    """Those about one topic. `run` sends them; what the others send is given to `heard`."""

    def __init__(
        self,
        others: Others,
        topic: str,
        heard: Callable[[Any], None],
        untold: Callable[[Any], None] = lambda _: None,
    ) -> None:
        """`untold` is given what could not be told."""
        self._others, self._untold = others, untold
        self._topic = topic
        self._waiting: asyncio.Queue[Any] = asyncio.Queue(MOST_WAITING)

        async def hear(values: Mapping[str, Any]) -> None:
            for message in values["messages"]:
                heard(message)

        others.on(topic, hear)

    def put(self, message: Any) -> None:
        """Send a message, something that JSON can write, when it is its turn."""
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            log.warning("%s: a message to the other workers was dropped", self._topic)
            self._untold(message)

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            messages = [await self._waiting.get()]
            while len(messages) < AT_A_TIME and not self._waiting.empty():
                messages.append(self._waiting.get_nowait())
            try:
                await self._others.tell(self._topic, messages=messages)
            except StateError as error:
                log.warning("%s: another process hears late: %s", self._topic, error)
                for message in messages:
                    self._untold(message)
