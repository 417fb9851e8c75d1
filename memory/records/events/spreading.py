"""Tells siblings of changes, so that whoever follows them at one process is told by all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from ...model.types import Scope
from ...util.mesh import Mesh, SiblingFailedError
from .feed import Feed
from .texts import ChangeDict

log = logging.getLogger(__name__)

_TOPIC = "changes"
MOST_WAITING = 10_000
"""Changes that wait to be told; further ones are dropped, and logged."""
AT_A_TIME = 20
"""Changes in one message: each may have the texts of a memory."""


class Spreading:
    """The changes that this process makes, on their way to the siblings, in their order."""

    def __init__(self, feed: Feed, mesh: Mesh) -> None:
        self._feed = feed
        self._mesh = mesh
        self._waiting: asyncio.Queue[ChangeDict] = asyncio.Queue(MOST_WAITING)
        feed.also = self._take
        mesh.on(_TOPIC, self._hear)

    async def run(self) -> None:
        """Tell them until cancelled."""
        while True:
            told = [await self._waiting.get()]
            while len(told) < AT_A_TIME and not self._waiting.empty():
                told.append(self._waiting.get_nowait())
            try:
                await self._mesh.tell(_TOPIC, told=told)
            except SiblingFailedError as error:
                log.warning("followers at another worker hear of changes late: %s", error)

    def _take(self, change: ChangeDict) -> None:
        try:
            self._waiting.put_nowait(change)
        except asyncio.QueueFull:
            log.warning("a change was not told to the other workers: too many wait")

    async def _hear(self, values: Mapping[str, Any]) -> None:
        for change in values["told"]:
            ids = {name: change.get(name) for name in ("user_id", "agent_id", "run_id")}
            self._feed.heard(Scope(tenant=change["tenant"], **ids), change)
