"""Marks of indexes that end with their process."""

from __future__ import annotations

from .port import IndexMark


class OwnMarks:
    """`IndexMarks` of this process alone: everybody has the turn."""

    def __init__(self) -> None:
        self._marks: dict[str, IndexMark] = {}

    async def mark(self, name: str) -> IndexMark | None:
        return self._marks.get(name)

    async def lead(self, name: str, holder: str, *, seconds: float) -> bool:
        del name, holder, seconds
        return True

    async def set_mark(self, name: str, holder: str, mark: IndexMark) -> bool:
        del holder
        self._marks[name] = mark
        return True

    async def leave(self, name: str, holder: str) -> None:
        del holder
        self._marks.pop(name, None)
