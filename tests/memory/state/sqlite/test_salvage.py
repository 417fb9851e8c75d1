"""What is read of a damaged file."""

import contextlib
import random
import sqlite3
from pathlib import Path

from recollect.memory.database.sqlite import salvage as salvaging
from recollect.memory.database.sqlite.salvage import Saved, salvage
from tests.support.folding import rows

SCHEMA = """
    CREATE TABLE plain (id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, extra TEXT DEFAULT 'new');
    CREATE TABLE keyed (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
"""
ROWS = 600
PAGE = 4096


def filled(path: Path) -> bytearray:
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript(SCHEMA.replace(", extra TEXT DEFAULT 'new'", ""))
        filling = [(f"id{n}", f"row {n} " + "x" * 100) for n in range(ROWS)]
        old.executemany("INSERT INTO plain VALUES (?, ?)", filling)
        old.executemany("INSERT INTO keyed VALUES (?, ?)", [(f"k{n:05}", n) for n in range(ROWS)])
        old.commit()
    return bytearray(path.read_bytes())


def saved_from(path: Path, target: Path) -> tuple[dict[str, Saved], list[tuple[str, str, str]]]:
    with (
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as old,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as new,
    ):
        new.executescript(SCHEMA)
        found = {each.table: each for each in salvage(old, new)}
        return found, new.execute("SELECT * FROM plain ORDER BY rowid").fetchall()


@rows("seed", [*range(4), "both ends"])
def test_rows_around_broken_pages_are_saved(tmp_path_factory, seed, monkeypatch):
    """Before, between and behind them; what is saved is what was there, and the loss is said."""
    monkeypatch.setattr(salvaging, "MOST_PROBES", 2_000)
    tmp_path = tmp_path_factory.mktemp("pages")
    chance = random.Random(str(seed))
    content = filled(tmp_path / "old")
    leaves = [
        at
        for at in range(PAGE, len(content), PAGE)
        if content[at] == 13 and b"row " in content[at : at + PAGE]
    ]
    for at in (leaves[0], leaves[-1]) if seed == "both ends" else chance.sample(leaves, 2):
        content[at : at + PAGE] = chance.randbytes(PAGE)
    (tmp_path / "old").write_bytes(content)
    found, plain = saved_from(tmp_path / "old", tmp_path / "new")
    assert not found["plain"].whole
    per_page = ROWS / len(leaves)
    assert ROWS - 2.5 * per_page <= found["plain"].rows < ROWS
    assert all(
        row[:2] == (f"id{n}", f"row {n} " + "x" * 100) for row in plain for n in [int(row[0][2:])]
    )
    assert found["keyed"] == Saved("keyed", ROWS, whole=True)


def test_a_broken_table_without_row_numbers_is_read_from_both_ends(tmp_path):
    """What lies before the broken page and what lies behind it."""
    content = filled(tmp_path / "old")
    leaves = [
        at
        for at in range(PAGE, len(content), PAGE)
        if content[at] == 10 and b"k00" in content[at : at + PAGE]
    ]
    at = leaves[len(leaves) // 2]
    content[at : at + PAGE] = bytes(PAGE)
    (tmp_path / "old").write_bytes(content)
    found, _ = saved_from(tmp_path / "old", tmp_path / "new")
    assert not found["keyed"].whole
    assert ROWS / 2 < found["keyed"].rows < ROWS
