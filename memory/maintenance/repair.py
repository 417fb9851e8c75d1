"""`recollect repair`: examines the database and replaces a damaged file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..database.sqlite import TABLES
from ..database.sqlite import repair as files
from ..database.sqlite.copying import NOTED
from ..database.sqlite.salvage import Saved
from ..engine.options import EngineOptions
from ..util.locks import Look

_HELD = "memories, turns, jobs, tombstones, the audit trail of each memory, and the graph"
_AFTER = {
    "tombstones": "what was forgotten and is still under way may come back: forget it again",
    "closed_scopes": "what was forgotten and is still under way may come back: forget it again",
    "turns": "turns that are missing and were not learned yet are lost",
    "memories": "the history still has the texts of memories that are missing",
}


def look_at(options: EngineOptions) -> Look | None:
    """Examine the database; changes nothing. None if it is on a server or in memory.

    Raises StateError if its file cannot be read.
    """
    path = options.database.file
    return None if path is None else files.look(path)


def told(found: Look | None) -> str:
    """The condition in one line, for people."""
    if found is None:
        return "is not kept in a local file"
    if found.holder is not None:
        return f"{found.path} is in use by {found.holder} and was not examined"
    if found.damage is not None:
        return f"{found.path} is damaged: {found.damage}. It holds {_HELD}"
    return f"{found.path} is sound" if found.path.exists() else f"{found.path} is not there yet"


def mend(path: Path) -> list[str]:
    """Repair a damaged database and return lines for people that say what was done.

    Raises:
        StateError: it cannot be repaired or is in use; nothing was changed.
    """
    done = files.repair(path, TABLES, without=NOTED)
    return [f"the damaged file is kept as {done.kept}", *_saved(done.saved)]


def _saved(saved: Sequence[Saved]) -> list[str]:
    if not saved:
        return ["the new file that an interrupted repair had written is in place"]
    lines = [
        f"saved {each.rows:,} of {each.table}" + ("" if each.whole else ", and some are missing")
        for each in saved
    ]
    warnings = [_AFTER[each.table] for each in saved if not each.whole and each.table in _AFTER]
    return [*lines, *dict.fromkeys(warnings)]
