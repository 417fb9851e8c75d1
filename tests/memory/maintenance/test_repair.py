"""What a repair says of each part."""

from pathlib import Path

from recollect.memory.database.sqlite.salvage import Saved
from recollect.memory.maintenance import repair as repairing
from recollect.memory.maintenance.repair import look_at, mend, told
from recollect.memory.util.locks import Look
from tests.support.composing import settings
from tests.support.folding import rows

DB = Path("/data/recollect.db")


@rows(
    "found, said",
    [
        (None, "not kept in a local file"),
        (Look(DB, holder="process 7"), "/data/recollect.db is in use by process 7"),
        (Look(DB, damage="page 2"), "damaged: page 2. It holds memories, turns"),
        (Look(DB), "is not there yet"),
        (Look(Path("/")), "is sound"),
    ],
)
def test_a_line_for_each(found, said):
    """Who uses it, what is wrong with it, and what it holds."""
    assert said in told(found)


def test_what_was_saved_is_counted(tmp_path):
    """Rows of each table, and what it means that some are missing."""
    chosen = settings(tmp_path, database__url=None)
    path = tmp_path / "data" / "recollect.db"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"no database " * 500)
    lines = mend(path)
    assert "recollect.db.corrupt-" in lines[0]
    for table in ("turns", "memory_history"):
        assert f"saved 0 of {table}, and some are missing" in lines
    assert any("forget it again" in line for line in lines)
    assert look_at(chosen).damage is None
    assert look_at(settings(tmp_path, database__url="postgresql://h/d")) is None


def test_a_repair_that_was_interrupted():
    """There is nothing to count any more, and that is said."""
    [line] = repairing._saved([])
    assert "interrupted" in line
    assert repairing._saved([Saved("turns", 1234, whole=True)]) == ["saved 1,234 of turns"]
