"""A folder of another format is refused at the start, by whatever front door, and not changed."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from recollect.memory import MemoryOptions
from recollect.memory.database import DatabaseOptions
from recollect.memory.database.sqlite.connect import APPLICATION
from recollect.memory.embedders import FakeEmbedderOptions
from recollect.memory.engine.embedded_parts import owning
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import in_folder
from recollect.memory.model.errors import FormatError
from recollect.memory.model.format import FORMAT


def database(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.executescript(f"PRAGMA journal_mode=WAL; {script}")


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A folder as an earlier commit left it: nothing in it has the number of a format."""
    folder = tmp_path / "data"
    folder.mkdir()
    database(folder / "state.db", "CREATE TABLE turns (id TEXT); PRAGMA user_version=17")
    database(folder / "history.db", "CREATE TABLE memory_history (id TEXT); PRAGMA user_version=3")
    database(folder / "graph.db", "CREATE TABLE graph_notes (name TEXT); PRAGMA user_version=1")
    return folder


def options_of(folder: Path) -> MemoryOptions:
    made = MemoryOptions(embedder=FakeEmbedderOptions(), database=DatabaseOptions())
    return in_folder(made, folder)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def opened(options: MemoryOptions) -> None:
    async with Engine.open(options):
        pass


async def owned(options: MemoryOptions) -> None:
    async with owning(options):
        pass


@pytest.mark.parametrize("start", [opened, owned])
async def test_a_folder_of_an_earlier_commit(earlier, start):
    """One sentence says which folder, what it has, what is read, and how to bring it over."""
    before = everything(earlier)
    with pytest.raises(FormatError) as refused:
        await start(options_of(earlier))
    assert str(refused.value) == (
        f"{earlier} (state.db, history.db, graph.db) has data without a format "
        f"number, and this version reads format {FORMAT}: export it with the version or commit that wrote "
        "it (`recollect memories export FILE --all`), and import the file here into a new place "
        "(`recollect memories import FILE`); nothing was changed"
    )
    assert everything(earlier) == before


async def test_a_folder_of_a_later_version(tmp_path):
    """The same for a file that has a higher number."""
    later = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT + 1}"
    database(tmp_path / "recollect.db", later)
    before = everything(tmp_path)
    with pytest.raises(
        FormatError, match=rf"\(recollect\.db\) has data of format {FORMAT + 1}, and"
    ):
        await opened(options_of(tmp_path))
    assert everything(tmp_path) == before


@pytest.mark.parametrize("name", ["state.db", "history.db", "graph.db"])
async def test_a_folder_with_the_files_of_format_1(tmp_path, name):
    """One of them is enough, whatever is in it: nothing new is begun beside it."""
    database(tmp_path / name, f"PRAGMA application_id={APPLICATION}; PRAGMA user_version=1")
    with pytest.raises(FormatError, match=rf"\({name}\) has data of format 1, and this version"):
        await opened(options_of(tmp_path))
    assert not (tmp_path / "recollect.db").exists()
