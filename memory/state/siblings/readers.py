"""Siblings that read one log: a number that they share, and a word to those who sleep."""

from __future__ import annotations

import logging
import mmap
import os
import uuid
from collections.abc import Mapping
from typing import Any

from ...util.sibling_messages import SiblingFailedError, SiblingMessages
from ..shared_log import Read

log = logging.getLogger(__name__)

_NEW = "changes"
_CELL_BYTES = 8


class SiblingReaders:
    """`OtherReaders` on one machine.

    How much each has written is in memory that all share, in a cell of its own, so that no two ever
    write the same one: no lock, no call of the system. Whoever writes counts before it answers its
    client, so that the client's next request finds it, wherever it goes.
    """

    def __init__(self, sibling_messages: SiblingMessages) -> None:
        """Whoever comes first makes the file. It outlives a process: no number comes twice."""
        self.name = uuid.uuid4().hex
        self._sibling_messages = sibling_messages
        sibling = sibling_messages.sibling
        descriptor = os.open(sibling.folder / "written", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, sibling.count * _CELL_BYTES)
            self._cells = memoryview(mmap.mmap(descriptor, 0)).cast("Q")
        finally:
            os.close(descriptor)
        self._own = sibling.number

    def on_wake(self, read: Read) -> None:
        async def heard(_values: Mapping[str, Any]) -> None:
            await read()

        self._sibling_messages.on(_NEW, heard)

    def count(self) -> None:
        self._cells[self._own] += 1

    def counted(self) -> int:
        return sum(self._cells)

    async def wake(self) -> None:
        try:
            await self._sibling_messages.tell(_NEW)
        except SiblingFailedError as error:
            log.warning("a change is heard late: %s", error)

    wait = wake
