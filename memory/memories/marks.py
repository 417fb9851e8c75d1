"""Marks in the database up to where each index is filled, and who fills it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from ..database.scripts import ScriptRunner
from ..index.port import IndexMark
from ..model.times import to_ms
from ..model.types import utc_now

_MARK = "SELECT seq, position FROM index_marks WHERE name = :name AND seq IS NOT NULL"
_LEAD = """
    INSERT INTO index_marks (name, holder, held_until) VALUES (:name, :holder, :until)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
    WHERE index_marks.holder = excluded.holder OR index_marks.held_until < :now
    RETURNING name
"""
_SET = """
    UPDATE index_marks SET seq = :seq, position = :position
    WHERE name = :name AND holder = :holder RETURNING name
"""
_LEAVE = "UPDATE index_marks SET held_until = 0 WHERE name = :name AND holder = :holder"


class SqlIndexMarks:
    """`IndexMarks` in one SQL database."""

    def __init__(self, scripts: ScriptRunner, clock: Callable[[], datetime] = utc_now) -> None:
        self._scripts = scripts
        self._clock = clock

    async def mark(self, name: str) -> IndexMark | None:
        rows = await self._scripts.statement(_MARK, {"name": name})
        return IndexMark(*rows[0]) if rows else None

    async def lead(self, name: str, holder: str, *, seconds: float) -> bool:
        now = self._clock()
        until = now + timedelta(seconds=seconds)
        values = {"name": name, "holder": holder, "until": to_ms(until), "now": to_ms(now)}
        return bool(await self._scripts.statement(_LEAD, values))

    async def set_mark(self, name: str, holder: str, mark: IndexMark) -> bool:
        values = {"name": name, "holder": holder, "seq": mark.seq, "position": mark.position}
        return bool(await self._scripts.statement(_SET, values))

    async def leave(self, name: str, holder: str) -> None:
        await self._scripts.statement(_LEAVE, {"name": name, "holder": holder})
