"""What processes on several machines need of the database beside what they keep.

Moments are the database's, see `ScriptRunner.shift_ms`.
"""

from __future__ import annotations

from ..model.times import to_ms
from ..model.types import utc_now
from .scripts import Script, ScriptRunner, SqlStatement

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
