"""`recollect repair`: examines each part and replaces damaged files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..database.sqlite import TABLES
from ..database.sqlite import repair as files
from ..database.sqlite.copying import NOTED
from ..database.sqlite.salvage import Saved
from ..engine.options import EngineOptions

_HELD = {
    "database": "memories, turns, jobs, tombstones, the audit trail of each memory, and the graph",
}
_AFTER = {
    "tombstones": "what was forgotten and is still under way may come back: forget it again",
    "closed_scopes": "what was forgotten and is still under way may come back: forget it again",
    "turns": "turns that are missing and were not learned yet are lost",
    "memories": "the history still has the texts of memories that are missing",
}


@dataclass(frozen=True, slots=True)
class Found:
    """The condition of one part."""

    part: str
    path: Path | None = None
    """None if the part is on a server or in memory."""
    holder: str | None = None
    damage: str | None = None

    @property
    def seen(self) -> str:
        """The condition in one line, for people."""
        if self.path is None:
            return "is not kept in a local file"
        if self.holder is not None:
            return f"{self.path} is in use by {self.holder} and was not examined"
        if self.damage is not None:
            return f"{self.path} is damaged: {self.damage}. It holds {_HELD[self.part]}"
        return f"{self.path} is sound" if self.path.exists() else f"{self.path} is not there yet"

    @property
    def plan(self) -> str:
        """What a repair would do, for people."""
        return (
            f"save what can be read of {self.path} into a new file, and keep the damaged one as "
            "…corrupt-<time>"
        )


def look_at(options: EngineOptions, part: str) -> Found:
    """Examine a part; changes nothing. Raises StateError if its file cannot be read."""
    path = options.database.file
    if path is None:
        return Found(part)
    found = files.look(path)
    return Found(part, path, found.holder, found.damage)


def mend(options: EngineOptions) -> list[str]:
    """Repair the damaged database and return lines for people that say what was done.

    Raises:
        StateError: it cannot be repaired or is in use; nothing was changed.
    """
    path = options.database.file
    assert path is not None  # noqa: S101 - a part without a path has no damage
    done = files.repair(path, TABLES, without=NOTED)
    return [f"the damaged file is kept as {done.kept}", *_told(done.saved)]


def _told(saved: Sequence[Saved]) -> list[str]:
    if not saved:
        return ["the new file that an interrupted repair had written is in place"]
    lines = [
        f"saved {each.rows:,} of {each.table}" + ("" if each.whole else ", and some are missing")
        for each in saved
    ]
    warnings = [_AFTER[each.table] for each in saved if not each.whole and each.table in _AFTER]
    return [*lines, *dict.fromkeys(warnings)]
