"""Looks every few seconds whether the files of the parts are still where they were opened."""

from __future__ import annotations

from collections.abc import Iterable

from ..util.anchor import Anchored

LOOK_SECONDS = 5.0
"""So late a file that was moved or removed is noticed at the most. A write and `/readyz` look for
themselves."""


class FileWatch:
    """Looks at those of the parts that have files; each logs what it finds."""

    def __init__(self, parts: Iterable[object]) -> None:
        self._anchored = [part for part in parts if isinstance(part, Anchored)]

    def also(self, anchored: Anchored) -> None:
        """Look at this one too."""
        self._anchored.append(anchored)

    async def look(self) -> None:
        """Look at all of them once."""
        for part in self._anchored:
            part.look()
