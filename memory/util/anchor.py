"""Notices when an opened file is no longer at its path.

A file that was moved or removed, or whose folder was unmounted, still takes the writes of a process
that has it open, and they are lost.
"""

from __future__ import annotations

import contextlib
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from ..model.errors import StateGoneError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A path and what was there when it was opened.

    Valid as long as a process has it open: some file systems give an unused file another number, or
    its number to another file.
    """

    path: Path
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self:
        """What is at the path now. Raises OSError."""
        found = path.stat()
        return cls(path, found.st_dev, found.st_ino)

    @property
    def gone(self) -> str:
        """What happened to it, with its path; empty if it is still there.

        What was moved away and comes back is there again; a copy of it is something else.
        """
        try:
            found = os.stat(self.path)  # noqa: PTH116 - for every write, and half as fast with Path
        except OSError as error:
            return f"{self.path} is gone: {error.strerror}"
        if (found.st_ino, found.st_dev) != (self.inode, self.device):
            return f"{self.path} is gone: something else is in its place"
        return ""


@runtime_checkable
class Anchored(Protocol):
    """A part that notices whether its files are where it opened them."""

    def look(self) -> object:
        """Notice and log a change; takes microseconds. Its errors tell what is gone."""


class AnchoredFolder:
    """A folder that files are written into which are not open all the time.

    It is kept open until `close`, so that it can be known again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._anchor: Anchor | None = None
        self._gone = ""
        self._open = contextlib.ExitStack()
        self.look()

    def look(self) -> str:
        """What happened to it; empty if it is there, or was never. Both changes are logged once."""
        if self._anchor is None:
            with contextlib.suppress(OSError):
                self._open.callback(os.close, os.open(self._path, os.O_RDONLY))
                self._anchor = Anchor.of(self._path)
            return ""
        gone, known = self._anchor.gone, self._gone
        if gone and not known:
            log.error("%s; nothing is written into it until it is back", gone)
        elif known and not gone:
            log.warning("%s is back", self._path)
        self._gone = gone
        return gone

    def close(self) -> None:
        """Let go of the folder; what happens to it is told no more."""
        self._open.close()

    async def ping(self) -> None:
        """Raises StateGoneError if it is not where it was."""
        if self.look():
            raise StateGoneError("data_dir is not where it was at the start")


def first_gone(anchors: tuple[Anchor, ...]) -> str:
    """What happened to the first of these that is gone; empty if all are there."""
    for anchor in anchors:
        if gone := anchor.gone:
            return gone
    return ""
