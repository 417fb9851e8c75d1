"""ENOSPC, EIO and the end of the process at every file operation of SQLite that writes."""

from __future__ import annotations

import itertools
import shutil
import threading
from collections import Counter
from pathlib import Path

import pytest

from recollect.memory.database.sqlite import TABLES
from recollect.memory.database.sqlite.connect import connect
from recollect.memory.model.errors import StateUnwritableError
from tests.memory.state.sqlite.script import STEPS, close, missing, opened, play
from tests.support.budget import FACTOR
from tests.support.sqlite_io import CODES, failing_files, library

SQLITE = library()
pytestmark = pytest.mark.skipif(SQLITE is None, reason="Python's SQLite cannot be reached")
STRIDE = 13 if FACTOR <= 1 else 1
"""`make hunt` tries every operation, `make test` every thirteenth: each row begins at another."""
MOST = 900
"""Operations of the whole script: more would be a script that never ends."""


@pytest.fixture
def files():
    assert SQLITE is not None
    with failing_files(SQLITE) as layer:
        yield layer


def begun(folder: Path) -> Path:
    """A data folder of a product that ran before, made once and copied."""
    folder.mkdir()
    connect(folder / "recollect.db", TABLES, "normal").close()
    return folder


class Fault:
    """Fails from the `first` operation on, `count` times, until it is healed."""

    def __init__(self, kind: str, first: int, count: int) -> None:
        self._codes = CODES[kind]
        self._ahead, self._left = first, count
        self.struck: Counter[str] = Counter()

    def __call__(self, operation: str) -> int:
        code = self._codes.get(operation, 0)
        if code == 0:
            return 0
        self._ahead -= 1
        if self._ahead >= 0 or self._left == 0:
            return 0
        self._left -= 1
        self.struck[operation] += 1
        return code


@pytest.mark.parametrize(
    ("kind", "synchronous", "count", "begin"),
    [
        ("full", "normal", 1, 0),
        ("full", "full", MOST, 1),
        ("broken", "full", 1, 2),
        ("broken", "normal", 2, 3),
    ],
)
async def test_what_returned_is_kept_and_what_was_refused_can_be_done(
    tmp_path, files, kind, synchronous, count, begin
):
    """At each operation: refused as ours, counted, nothing half-done, and whole again after it."""
    source = begun(tmp_path / "source")
    struck: Counter[str] = Counter()
    for first in range(begin % STRIDE, MOST, STRIDE):
        folder = tmp_path / "run"
        shutil.copytree(source, folder)
        run = await opened(folder, synchronous)
        fault = files.fail = Fault(kind, first, count)
        await play(run)
        refused = list(run.refused)
        database = run.state.scripts.database  # type: ignore[attr-defined]
        connections = (database._connection, database._direct)
        assert not any(each.in_transaction for each in connections if each is not None)
        told = run.state.refused
        assert (told > 0) == (database.writes.why is not None)
        assert told >= bool(refused)
        files.fail = lambda _: 0
        await run.state.ping()
        await play(run)
        assert run.refused == []
        await close(run)
        assert missing(folder, list(STEPS)) == [], (first, fault.struck, refused)
        shutil.rmtree(folder)
        struck += fault.struck
        if not fault.struck:
            break
    else:
        pytest.fail("the script never came to its end")
    assert set(struck) >= {"write", "half a write"} | ({"sync"} if kind == "broken" else set())


@pytest.mark.parametrize("synchronous", ["normal", "full"])
async def test_a_process_that_ends_at_any_operation(tmp_path, files, synchronous):
    """What the files hold at each operation, or after half of it, has all that had returned."""
    source = begun(tmp_path / "source")
    run = await opened(source, synchronous)
    numbers = itertools.count()
    moments: list[tuple[Path, list[str]]] = []
    still = threading.Lock()

    def snapshot(_operation: str) -> int:
        # The other thread waits before its next operation: a checkpoint between the copies of a
        # file and of its log would make a state that no crash leaves behind.
        with still:
            number = next(numbers)
            if number % STRIDE:
                return 0
            # Before the copies: what returns while they are made need not be in them.
            done = list(run.done)
            folder = tmp_path / f"at{number}"
            folder.mkdir()
            for path in source.iterdir():
                # The index of the log is shared memory, and made anew when nobody has it open.
                if not path.name.endswith(("-shm", ".lock")):
                    shutil.copyfile(path, folder / path.name)
            moments.append((folder, done))
        return 0

    files.fail = snapshot
    await play(run)
    await close(run)
    files.fail = lambda _: 0
    assert len(moments) > 2 * len(STEPS) / STRIDE
    for folder, done in moments:
        after = await opened(folder, synchronous)
        await close(after)
        assert missing(folder, done) == []


@pytest.mark.parametrize("kind", ["full", "broken"])
async def test_a_start_at_any_operation(tmp_path, files, kind):
    """A disk that is full at the start is told as such; the next start finds everything."""
    source = begun(tmp_path / "source")
    run = await opened(source, "normal")
    await play(run)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    still = threading.Lock()

    def waiting(_operation: str) -> int:
        with still:
            return 0

    files.fail = waiting
    # A checkpoint between two of the files would make a state that no crash leaves behind.
    with still:
        for path in source.iterdir():
            if not path.name.endswith("-shm"):
                shutil.copyfile(path, crashed / path.name)
    await close(run)
    refusals = 0
    for first in range(0, MOST, 1 if FACTOR > 1 else 3):
        folder = tmp_path / "run"
        shutil.copytree(crashed, folder)
        fault = files.fail = Fault(kind, first, MOST)
        try:
            await close(await opened(folder, "normal"))
        except StateUnwritableError:
            refusals += 1
        files.fail = lambda _: 0
        await close(await opened(folder, "normal"))
        assert missing(folder, list(STEPS)) == []
        shutil.rmtree(folder)
        if not fault.struck:
            break
    assert refusals > 0
