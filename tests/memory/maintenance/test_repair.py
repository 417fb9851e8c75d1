"""What a repair says of each part."""

from pathlib import Path

from recollect.memory.maintenance import repair as repairing
from recollect.memory.maintenance.repair import Found, look_at, mend
from recollect.memory.state.sqlite.salvage import Saved
from tests.support.composing import settings
from tests.support.folding import rows

DB = Path("/data/state.db")


@rows(
    "found, said",
    [
        (Found("state"), "not kept in a local file"),
        (Found("state", DB, holder="process 7"), "/data/state.db is in use by process 7"),
        (Found("state", DB, damage="page 2"), "damaged: page 2. It holds unlearned turns"),
        (Found("store", DB, damage="schema"), "the history still has their texts"),
        (Found("history", DB), "is not there yet"),
        (Found("history", Path("/")), "is sound"),
    ],
)
def test_a_line_for_each(found, said):
    """Who uses it, what is wrong with it, and what it holds."""
    assert said in found.seen


@rows("part", ["state", "history"])
def test_what_was_saved_is_counted(tmp_path, part):
    """Rows of each table, and what it means that some are missing."""
    chosen = settings(tmp_path, **{f"{part}__backend": "sqlite"})
    path = tmp_path / "data" / f"{part}.db"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"no database " * 500)
    lines = mend(chosen, part)
    assert "state.db.corrupt-" in lines[0] or "history.db.corrupt-" in lines[0]
    tables = {"state": "turns", "history": "memory_history"}
    assert f"saved 0 of {tables[part]}, and some are missing" in lines
    assert any("forget it again" in line for line in lines) == (part == "state")
    assert look_at(chosen, part).damage is None
    server = settings(tmp_path, index__backend="milvus", index__uri="http://milvus:19530")
    assert look_at(server, "store").path is None


def test_a_repair_that_was_interrupted():
    """There is nothing to count any more, and that is said."""
    [line] = repairing._told([])
    assert "interrupted" in line
    assert repairing._told([Saved("turns", 1234, whole=True)]) == ["saved 1,234 of turns"]
