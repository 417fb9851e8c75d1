"""`recollect repair`, as a person calls it."""

import sqlite3
from contextlib import closing

import pytest

from recollect.memory.util.locks import Ownership
from recollect.proxy.cli import main


@pytest.fixture
def data(tmp_path):
    """A data folder with a damaged database."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "recollect.db").write_bytes(b"no database " * 500)
    return folder


def test_looking(data, capsys):
    """A dry run names what is damaged and what would be done; status 1, nothing changed."""
    before = sorted(data.iterdir())
    assert main(["repair", "--dry-run"]) == 1
    told = capsys.readouterr().out
    assert f"{data / 'recollect.db'} is damaged" in told
    assert "plan" in told
    assert sorted(data.iterdir()) == before


def test_repairing(data, capsys):
    """The damaged file is kept, the new one is sound, and a second call has nothing to do."""
    assert main(["repair", "--yes"]) == 0
    shown = capsys.readouterr()
    assert "saved 0 of turns" in shown.out
    assert "start Recollect again" in shown.err
    [kept] = data.glob("recollect.db.corrupt-*")
    assert kept.read_bytes() == b"no database " * 500
    with closing(sqlite3.connect(data / "recollect.db")) as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (0,)
    assert main(["repair", "--yes"]) == 0
    assert "nothing to repair" in capsys.readouterr().err


def test_a_file_in_use_is_refused(data, capsys):
    """Who has it is said."""
    owner = Ownership.claim(data / "recollect.db")
    assert main(["repair", "--yes"]) == 1
    owner.release()
    shown = capsys.readouterr()
    assert "in use by" in shown.out
    assert "stop" in shown.err
    assert not list(data.glob("*.corrupt-*"))
