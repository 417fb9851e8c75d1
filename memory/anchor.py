"""Whether what was opened is still at its path.

A file that was moved or removed, or whose folder was unmounted, goes on taking writes from who has
it open, and nobody finds them afterwards.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, runtime_checkable


@dataclass(frozen=True, slots=True)
class Anchor:
    """A path and what was there when it was opened, as long as that is open."""

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


def first_gone(anchors: tuple[Anchor, ...]) -> str:
    """What happened to the first of these that is gone; empty if all are there."""
    for anchor in anchors:
        if gone := anchor.gone:
            return gone
    return ""
