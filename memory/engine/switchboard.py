"""The two switches of an operator, in force at once in every process that shares the state.

Off turns off what the configuration has on, and never the other way round.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from ..database.switches import SqlSwitches
from ..util.loops import repeat
from ..util.mesh import Mesh, SiblingFailedError

log = logging.getLogger(__name__)

FOLLOW_SECONDS = 5.0
"""Processes on other hosts know after this time at most."""
_TOPIC = "switches"
_RECALL, _LEARN = "recall", "learn"


class Switchboard:
    """What is on. Read from memory by every chat; the state is read at the start and on changes."""

    def __init__(self, kept: SqlSwitches, mesh: Mesh | None = None) -> None:
        self._kept = kept
        self._mesh = mesh
        self.recall = True
        """Whether chats may get memories."""
        self.learn = True
        """Whether turns may be captured and learned."""
        self.told: list[Callable[[], None]] = []
        """Called after each change, and once what is kept was read."""
        if mesh is not None:
            mesh.on(_TOPIC, self._heard)

    async def load(self) -> None:
        """Let count what is kept. Raises StateError; what counted before then stays."""
        values = await self._kept.read()
        recall, learn = values.get(_RECALL, True), values.get(_LEARN, True)
        if (recall, learn) != (self.recall, self.learn):
            log.warning("switches: recall is %s, learning is %s", _word(recall), _word(learn))
        self.recall, self.learn = recall, learn
        for told in self.told:
            told()

    async def turn(self, *, recall: bool | None = None, learn: bool | None = None) -> None:
        """Turn what is not None, for good and everywhere.

        A sibling that does not answer follows within `FOLLOW_SECONDS`. Raises StateError, and
        nothing was turned.
        """
        values = {name: on for name, on in ((_RECALL, recall), (_LEARN, learn)) if on is not None}
        await self._kept.write(values)
        await self.load()
        if self._mesh is not None:
            try:
                await self._mesh.tell(_TOPIC)
            except SiblingFailedError as error:
                log.warning("switches: %s; it follows in a moment", error)

    async def follow(self) -> None:
        """Take over what other processes turn, until cancelled."""
        await repeat(FOLLOW_SECONDS, self.load)

    async def _heard(self, _asked: Mapping[str, Any]) -> None:
        await self.load()


def _word(on: bool) -> str:
    return "on" if on else "off"
