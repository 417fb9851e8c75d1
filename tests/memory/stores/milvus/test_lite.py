"""Milvus Lite in its own process: durable, alone on its data, watched, and never in the way."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores import MilvusStoreOptions, open_store
from recollect.memory.stores.milvus.lite import LiteProcess
from recollect.memory.stores.milvus.writing import FLUSH_EVERY_ROWS
from tests.memory.stores.contract import DIM, ids, memory, vector
from tests.support.waiting import until

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[4]
ALICE = Scope(tenant="t", user_id="alice")
BOB = Scope(tenant="t", user_id="bob")


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "memories.db"


@pytest.fixture
async def open_lite(data_dir):
    """Opens the store on the data folder; what is still open at the end is closed."""
    opened = []

    async def open_it(flush_every=FLUSH_EVERY_ROWS, **options):
        chosen = MilvusStoreOptions(uri=str(data_dir), **options)
        store = await open_store(chosen, embedder_id="test", dim=DIM)
        store._writer.flush_every = flush_every
        opened.append(store)
        return store

    yield open_it
    for store in opened:
        await store.close()


@pytest.fixture
def short_dir():
    """A folder whose path leaves room for a socket's, however deep the tests' own folder is."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def child_of(store) -> int:
    return store._connection.endpoint.pid


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


async def answered(store, scope=ALICE):
    """What the store lists, once it answers again after a restart."""

    async def listed():
        with contextlib.suppress(StoreError):
            return [ids(await store.list(scope, limit=None))]

    return (await until(listed, "the return of the embedded Milvus"))[0]


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return False


async def gone(pid: int) -> bool:
    await until(lambda: not alive(pid), f"the end of process {pid}")
    return True


class TestDurability:
    async def test_what_was_put_survives_kills_and_reopening(self, open_lite, data_dir):
        """Flushed or not; what was deleted stays so, and its id can be used again."""
        store = await open_lite(flush_every=3)
        kept, again, other = memory(ALICE), memory(ALICE), memory(BOB)
        await store.put([kept, again])
        await store.put([other])
        await store.delete("t", [again.item.id])
        for _ in range(2):
            kill(child_of(store))
            assert await answered(store) == {kept.item.id}
        [hit] = await store.search(ALICE, vector(1.0), limit=9, fresh=True)
        assert hit.item == kept.item
        await store.put([again])
        kill(child_of(store))
        assert await answered(store) == {kept.item.id, again.item.id}
        await store.close()
        # After an orderly end nothing waits in a log; the lock file it leaves is no obstacle.
        assert list(data_dir.glob("collections/*/wal/*")) == []
        assert data_dir.with_name("memories.db.lock").exists()
        store = await open_lite()
        found = await store.list(ALICE, limit=None) + await store.list(BOB, limit=None)
        assert ids(found) == {kept.item.id, again.item.id, other.item.id}

    async def test_puts_survive_a_killed_parent_which_takes_its_child_along(
        self, data_dir, open_lite
    ):
        """Nobody is left behind holding the data, and nothing that was put is lost."""
        script = textwrap.dedent(
            """
            import asyncio, os, signal, sys
            from recollect.memory.stores import MilvusStoreOptions, open_store
            from tests.memory.stores.contract import memory
            from recollect.memory.model.types import Scope

            async def main():
                store = await open_store(
                    MilvusStoreOptions(uri=sys.argv[1]), embedder_id="test", dim=8
                )
                kept = memory(Scope(tenant="t", user_id="alice"), id="kept")
                await store.put([kept])
                print(store._connection.endpoint.pid, flush=True)
                os.kill(os.getpid(), signal.SIGKILL)

            asyncio.run(main())
            """
        )
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", script, str(data_dir)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert await gone(int(done.stdout))
        store = await open_lite()
        assert ids(await store.list(ALICE, limit=None)) == {"kept"}


class TestChild:
    async def test_it_is_ours_alone_and_leaves_nothing_behind(
        self, open_lite, data_dir, monkeypatch, short_dir, capfd
    ):
        """Its session, its data and its socket; it prints nothing, and loads no more than it needs."""
        monkeypatch.setattr("tempfile.tempdir", str(short_dir))
        store = await open_lite()
        pid = child_of(store)
        [folder] = short_dir.iterdir()
        assert {each.stat().st_mode & 0o777 for each in (folder, data_dir)} == {0o700}
        # Ctrl-C is not for it: it ends when its parent says so.
        assert os.getsid(pid) == pid
        await store.put([memory(ALICE)])
        assert len(await store.list(ALICE, limit=10)) == len(await store.scan(after=None, limit=10))
        if sys.platform == "linux":
            # pandas and faiss would take 85 MB; pyarrow would import the one at the first read.
            loaded = Path(f"/proc/{pid}/maps").read_text()
            assert "pyarrow" in loaded
            assert "pandas" not in loaded
            assert "faiss" not in loaded
        await store.close()
        assert list(short_dir.iterdir()) == []
        assert not alive(pid)
        assert capfd.readouterr() == ("", "")

    async def test_call_that_finds_it_dead_fails_at_once_and_brings_it_back(self, open_lite):
        """The error says what happened; the next calls work, also after several crashes."""
        store = await open_lite()
        for _ in range(2):
            pid = child_of(store)
            kill(pid)
            while store._connection.endpoint._process.running:
                await asyncio.sleep(0.01)
            with pytest.raises(StoreError, match="stopped"):
                await store.ping()
            assert await answered(store) == set()
            assert child_of(store) != pid

    async def test_one_that_keeps_dying_is_given_time(self, open_lite, data_dir):
        """When it cannot start, calls fail with the reason and starts get rarer."""
        store = await open_lite()
        kill(child_of(store))
        (data_dir / "collections" / "recollect_memories" / "schema.json").write_text("?")
        messages = []

        async def said_both():
            with pytest.raises(StoreError) as failure:
                await store.ping()
            messages.append(str(failure.value))
            return "damaged" in "".join(messages) and "next try in" in "".join(messages)

        await until(said_both, "the reason and the pause")

    async def test_terminated_child_flushes(self, data_dir, open_lite):
        """SIGTERM ends it in order."""
        store = await open_lite()
        await store.put([memory(ALICE)])
        pid = child_of(store)
        os.kill(pid, signal.SIGTERM)
        assert await gone(pid)
        assert list(data_dir.glob("collections/*/wal/*")) == []

    async def test_long_temporary_folder_is_no_obstacle(self, open_lite, monkeypatch, tmp_path):
        """Where the path of a socket would be too long, a short one is taken."""
        deep = tmp_path / ("d" * 120)
        deep.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(deep))
        await (await open_lite()).ping()
        assert list(deep.iterdir()) == []

    def test_the_folder_around_it_is_for_its_owner_too(self, tmp_path):
        """The product's data folder, where nothing else has made it yet."""
        around = tmp_path / "recollect"
        LiteProcess(around / "memories.db", 1)._prepare_folder()
        assert around.stat().st_mode & 0o777 == 0o700

    def test_start_that_takes_too_long_is_given_up(self, data_dir):
        """A child that does not report is ended, and the error names folder and time."""
        process = LiteProcess(data_dir, 0.01)
        with pytest.raises(StoreError, match=r"memories\.db was not ready after 0\.01 seconds"):
            process.start()
        assert process.pid is None


class TestLock:
    async def test_second_owner_is_refused_and_told_by_whom(self, open_lite, data_dir, monkeypatch):
        """Two processes on one folder would ruin it: the second learns at once who has it."""
        store = await open_lite()

        def refuse(*_args, **_named):
            raise AssertionError("a child was started")

        monkeypatch.setattr(subprocess, "Popen", refuse)
        with pytest.raises(StoreError) as refusal:
            await open_lite()
        assert str(data_dir) in str(refusal.value)
        assert f"process {os.getpid()}:" in str(refusal.value)
        await store.ping()

    async def test_dying_predecessor_is_waited_for(self, open_lite, data_dir):
        """A lock that is released within a few seconds is no error."""
        data_dir.mkdir()
        (data_dir / "collections").mkdir()
        with (data_dir / "LOCK").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            asyncio.get_running_loop().call_later(1.5, fcntl.flock, lock, fcntl.LOCK_UN)
            begun = time.monotonic()
            await open_lite()
            assert time.monotonic() - begun >= 1.5


def files_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def damage_schema(collection: Path) -> Path:
    path = collection / "schema.json"
    path.write_bytes(b"\0" * 100)
    return path


def scramble_data_file(collection: Path) -> Path:
    """Leaves the footer as it is: only reading the rows shows it."""
    path = next(collection.glob("partitions/*/data/*.parquet"))
    content = bytearray(path.read_bytes())
    content[4:400] = b"\xaa" * 396
    path.write_bytes(content)
    return collection


class TestDamage:
    @pytest.fixture
    async def filled(self, open_lite, data_dir):
        """A data folder with flushed rows and, because the child was killed, rows in its log."""
        store = await open_lite()
        await store.put([memory(ALICE)])
        await store.maintain()
        await store.put([memory(BOB)])
        pid = child_of(store)
        kill(pid)
        await gone(pid)
        store._connection.endpoint._process.stop()  # so that it may be opened again
        return data_dir / "collections" / "recollect_memories"

    @pytest.mark.parametrize("harm", [damage_schema, scramble_data_file])
    async def test_damaged_folder_is_refused_untouched(self, open_lite, filled, data_dir, harm):
        """Found before it starts or by its reading: the error says so, and not a byte is changed."""
        harmed = harm(filled)
        before = files_of(filled)
        with pytest.raises(StoreError, match="damaged") as refusal:
            await open_lite()
        assert str(data_dir) in str(refusal.value)
        if harm is not scramble_data_file:
            assert str(harmed) in str(refusal.value)
        assert files_of(filled) == before

    async def test_log_cut_off_by_a_crash_is_read_up_to_there(self, open_lite, filled):
        """A record that was only half written was never acknowledged; the rest is kept."""
        [log] = filled.glob("wal/wal_data_*.arrow")
        with log.open("ab") as file:
            file.write(log.read_bytes()[:100])
        store = await open_lite()
        assert len(await store.list(ALICE, limit=None)) == 1
        assert len(await store.list(BOB, limit=None)) == 1

    async def test_file_in_the_place_of_the_folder_is_refused(self, open_lite, data_dir):
        """A database of the older Milvus Lite is a file: it is neither read nor replaced."""
        data_dir.write_bytes(b"SQLite format 3\0")
        with pytest.raises(StoreError, match="is a file"):
            await open_lite()
        assert data_dir.read_bytes() == b"SQLite format 3\0"

    async def test_folder_of_something_else_is_refused(self, open_lite, data_dir):
        """A database is not made among somebody's files."""
        data_dir.mkdir()
        (data_dir / "thesis.tex").write_text("precious")
        with pytest.raises(StoreError, match=r"holds thesis\.tex"):
            await open_lite()
        assert [path.name for path in data_dir.iterdir()] == ["thesis.tex"]
