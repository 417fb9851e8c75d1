"""Messages on their way to all siblings, in their order; whoever puts one does not wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from .mesh import Mesh, SiblingFailedError

log = logging.getLogger(__name__)

MOST_WAITING = 10_000
"""Messages that wait; further ones are dropped, and logged."""
AT_A_TIME = 20
"""Messages that are sent together: each may have the texts of a memory."""


class Outbox:
    """Those about one topic. `run` sends them; what the others send is given to `heard`."""

    def __init__(self, mesh: Mesh, topic: str, heard: Callable[[Any], None]) -> None:
        self._mesh = mesh
        self._topic = topic
        self._waiting: asyncio.Queue[Any] = asyncio.Queue(MOST_WAITING)

        async def hear(values: Mapping[str, Any]) -> None:
            for message in values["messages"]:
                heard(message)

        mesh.on(topic, hear)

    def put(self, message: Any) -> None:
        """Send a message, something that JSON can write, when it is its turn."""
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            log.warning("%s: a message to the other workers was dropped", self._topic)

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            messages = [await self._waiting.get()]
            while len(messages) < AT_A_TIME and not self._waiting.empty():
                messages.append(self._waiting.get_nowait())
            try:
                await self._mesh.tell(self._topic, messages=messages)
            except SiblingFailedError as error:
                log.warning("%s: a worker hears late: %s", self._topic, error)
