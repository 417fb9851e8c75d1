"""The two switches of an operator, in force at once in every process that shares the state.

Off turns off what the configuration has on, and never the other way round.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from ..database.changes import ChangeKind, ChangeLine
from ..database.switches import SqlSwitches
from ..state.shared_log import SharedLog
from ..util.loops import repeat

log = logging.getLogger(__name__)

FOLLOW_SECONDS = 5.0
"""So often a process looks without having been told."""
_RECALL, _LEARN, _REFUSES = "recall", "learn", "never_again"


class FeatureSwitches:
    """What is on. Read from memory by every chat; the state is read at the start and on changes."""

    def __init__(self, kept: SqlSwitches, log: SharedLog | None = None) -> None:
        """`log` tells what is turned in other processes, and tells them."""
        self._kept = kept
        self._log = log
        self._changes = 0
        self.recall = True
        """Whether chats may get memories."""
        self.learn = True
        """Whether turns may be captured and learned."""
        self.refuses: bool | None = None
        """Whether a person ever refused something for good: else nobody looks for it. None: that
        is not known yet."""
        self.told: list[Callable[[], None]] = []
        """Called after each change, and once what is kept was read."""
        if log is not None:
            log.elsewhere.append(self._heard)

    async def load(self) -> None:
        """Let count what is kept. Raises StateError; what counted before then stays."""
        seen = None
        while seen != self._changes:  # something was turned while it was read
            seen = self._changes
            values = await self._kept.read()
        self.refuses = values.get(_REFUSES, False)
        self._turn(values.get(_RECALL, True), values.get(_LEARN, True))

    async def refuse(self) -> None:
        """Say that something may be refused for good from now on. Raises as `turn`."""
        if not self.refuses:
            await self._keep({_REFUSES: True})

    async def turn(self, *, recall: bool | None = None, learn: bool | None = None) -> None:
        """Turn what is not None, for good and everywhere.

        Raises StateError: nothing was turned, or others follow within `FOLLOW_SECONDS`.
        """
        values = {name: on for name, on in ((_RECALL, recall), (_LEARN, learn)) if on is not None}
        await self._keep(values)

    async def _keep(self, values: Mapping[str, bool]) -> None:
        await self._kept.write(values)
        self._changes += 1
        await self.load()
        if self._log is not None:
            await self._log.tell([ChangeLine(ChangeKind.SWITCHES, "", (self.recall, self.learn))])

    async def follow(self) -> None:
        """Take over what other processes turn, until cancelled."""
        await repeat(FOLLOW_SECONDS, self.load)

    def _heard(self, line: ChangeLine) -> None:
        if line.kind is ChangeKind.SWITCHES:
            self._changes += 1
            self.refuses = self.refuses or None
            self._turn(*line.told)

    def _turn(self, recall: bool, learn: bool) -> None:
        if (recall, learn) != (self.recall, self.learn):
            log.warning("switches: recall is %s, learning is %s", _word(recall), _word(learn))
        self.recall, self.learn = recall, learn
        for told in self.told:
            told()


def _word(on: bool) -> str:
    return "on" if on else "off"
