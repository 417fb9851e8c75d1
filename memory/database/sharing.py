"""What processes on several machines need of the database beside what they keep.

Moments are the database's, see `ScriptRunner.shift_ms`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model.times import to_ms
from ..model.types import utc_now
from .rows import digest
from .scripts import Script, ScriptRunner, SqlStatement

_BUMP = """
    INSERT INTO write_counts VALUES (:name, 1)
    ON CONFLICT (name) DO UPDATE SET count = write_counts.count + 1 RETURNING count
"""
_CURRENT = "SELECT name, count FROM write_counts WHERE name IN :names[]"


class SqlCounters:
    """`WriteCounters`. A write may count twice: then others read once more."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        names = list(map(digest, keys))
        rows = await self._scripts.statement(_CURRENT, {"names": names}) if names else []
        counts = {str(name): int(count) for name, count in rows}
        return tuple([counts.get(name, 0) for name in names])

    async def bump(self, key: str) -> int:
        [(count,)] = await self._scripts.statement(_BUMP, {"name": digest(key)})
        return int(count)


_SAY = """
    INSERT INTO processes VALUES (:name, :now)
    ON CONFLICT (name) DO UPDATE SET seen = excluded.seen
"""


class SqlPresence:
    """Which processes said lately that they are there."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts

    async def say(self, name: str, seconds: float) -> None:
        """This process is there; those that have not said so for so long are forgotten."""
        now = await now_ms(self._scripts)

        def script() -> Script[None]:
            yield SqlStatement(_SAY, {"name": name, "now": now})
            gone = {"before": now - round(1000 * seconds)}
            yield SqlStatement("DELETE FROM processes WHERE seen < :before", gone)

        await self._scripts.change(script, tenants=())

    async def there(self, seconds: float) -> set[str]:
        """The names of those that said so within these seconds."""
        since = await now_ms(self._scripts) - round(1000 * seconds)
        sql = "SELECT name FROM processes WHERE seen >= :since"
        return {str(name) for (name,) in await self._scripts.statement(sql, {"since": since})}


async def now_ms(scripts: ScriptRunner) -> int:
    """The moment of the database, in milliseconds."""
    return to_ms(utc_now()) + await scripts.shift_ms()
