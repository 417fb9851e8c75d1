"""`recollect reindex`: the same memories in another embedder's vectors."""

import asyncio
import contextlib
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.maintenance.reindexing import BATCH
from recollect.memory.memories.vectors import identity_in
from recollect.memory.model.errors import EmbeddingError, StoreMismatchError
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
)
from recollect.proxy.cli import main
from tests.support.memories import memories_in
from tests.support.postgres_server import empty_database
from tests.support.waiting import wait_until
from tests.support.zygote import ROOT

pytestmark = pytest.mark.process

OLD, NEW = (FakeEmbedder(FakeEmbedderOptions(dim=dim)) for dim in (32, 48))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
MANY = 2 * BATCH + 7


@pytest.fixture
def file(environ, tmp_path):
    """The database that the configuration names; the new embedder is configured."""
    environ.setenv("RECOLLECT_EMBEDDER__DIM", str(NEW.dim))
    return tmp_path / "data" / "recollect.db"


def item(n):
    """A memory in which no field has its default."""
    return MemoryItem(
        id=f"m{n:05}",
        text=f"fact number {n} über 東京",
        type=MemoryType.EPISODIC,
        scope=Scope(tenant=f"t{n % 3}", user_id=f"u{n % 7}", agent_id="a", run_id="r"),
        created_at=NOON + timedelta(seconds=n),
        updated_at=NOON + timedelta(days=1, seconds=n),
        embedder_id=OLD.id,
        status=list(MemoryStatus)[n % 3],
        importance=0.1,
        provenance=Provenance(conversation_id="c", turn_ids=("1", "2"), quote="q", model="m"),
        valid_from=NOON,
        valid_to=NOON + timedelta(days=9),
        last_accessed_at=NOON + timedelta(days=2),
        access_count=n,
        metadata={"n": n, "nested": {"list": [1, 2.5, None]}},
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A database of the old embedder's memories, to be copied, and the memories."""
    file = tmp_path_factory.mktemp("filled") / "recollect.db"
    items = [item(n) for n in range(MANY)]

    async def fill():
        vectors = await OLD.embed([i.text for i in items])
        async with memories_in(file, OLD) as store:
            await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])

    asyncio.run(fill())
    return file, items


@pytest.fixture
def memories(file, filled):
    """What the database holds, in the old embedder's vectors."""
    source, items = filled
    file.parent.mkdir(exist_ok=True)
    shutil.copy(source, file)
    return items


def contents(file, embedder):
    """Everything that it holds in this embedder's vectors."""

    async def read():
        async with memories_in(file, embedder) as store:
            return await store.scan(after=None, limit=10 * MANY)

    return asyncio.run(read())


def assert_moved(file, memories):
    """It holds the same memories with all their fields, in the new embedder's vectors."""
    found = contents(file, NEW)
    assert [m.item for m in found] == [replace(i, embedder_id=NEW.id) for i in memories]
    expected = asyncio.run(NEW.embed([i.text for i in memories]))
    np.testing.assert_allclose(np.stack([m.vector for m in found]), expected, atol=1e-6)


def fail_after(environ, batches):
    """Let the command's embedder embed so many batches, and tell how many texts it was asked."""
    texts = []

    class Failing(FakeEmbedder):
        async def embed(self, some):
            if len(texts) >= batches * BATCH:
                raise EmbeddingError("the server is away")
            texts.extend(some)
            return await super().embed(some)

    async def open_failing(_options):
        return Failing(FakeEmbedderOptions(dim=NEW.dim))

    environ.setattr("recollect.memory.engine.opening.open_embedder", open_failing)
    return texts


def test_everything_is_moved(file, memories, capsys, monkeypatch):
    """Afterwards the new embedder opens the memories, the old one does not, and nothing is lost."""
    asked = []
    monkeypatch.setattr(
        "recollect.proxy.commands.reindex.confirm", lambda text, _: asked.append(text)
    )
    assert main(["reindex"]) == 0
    [question] = asked
    assert "fake-words-32 (32 dimensions) -> fake-words-48 (48 dimensions)" in question
    shown = capsys.readouterr().err
    assert f"{MANY} memories now have vectors of {NEW.id} (48 dimensions)" in shown
    assert f"{MANY} of {MANY}  100 %" in shown
    assert "recollect calibrate" in shown
    assert_moved(file, memories)
    with pytest.raises(StoreMismatchError, match="recollect reindex"):
        contents(file, OLD)
    assert main(["reindex"]) == 0
    assert "nothing to do" in capsys.readouterr().err


def test_beside_what_another_process_goes_on_with(environ, postgres, capsys):
    """With PostgreSQL: the old vectors are used until a run that only makes what is missing."""
    items = [item(n) for n in range(5)]

    async def kept(store, *some):
        vectors = await OLD.embed([i.text for i in some])
        await store.put([StoredMemory(i, v) for i, v in zip(some, vectors, strict=True)])

    async def meanwhile():
        async with empty_database(postgres) as url:
            environ.setenv("RECOLLECT_DATABASE__URL", url)
            environ.setenv("RECOLLECT_EMBEDDER__DIM", str(NEW.dim))
            async with memories_in(url, OLD) as store:
                await kept(store, *items[:4])
                assert await asyncio.to_thread(main, ["reindex", "--beside", "--yes"]) == 0
                assert "4 of 4 memories have vectors of" in capsys.readouterr().err
                await kept(store, items[4])
                assert len(await store.scan(after=None, limit=9)) == 5
            assert await asyncio.to_thread(main, ["reindex", "--yes"]) == 0
            assert "this run embedded 1" in capsys.readouterr().err
            async with memories_in(url, NEW) as moved:
                return await moved.scan(after=None, limit=9)

    found = asyncio.run(meanwhile())
    assert [m.item for m in found] == [replace(i, embedder_id=NEW.id) for i in items]


def test_a_file_has_one_process(file, memories, capsys):
    """Nothing is made beside the vectors of a file, which proxies would go on with."""
    assert main(["reindex", "--beside", "--yes"]) == 2
    assert "PostgreSQL" in capsys.readouterr().err
    assert [m.item for m in contents(file, OLD)] == memories


def test_a_file_in_use(file, memories, capsys):
    """While another process has the file, it is told which, and nothing is changed."""

    async def meanwhile():
        async with memories_in(file, OLD):
            return await asyncio.to_thread(main, ["reindex", "--yes"])

    assert asyncio.run(meanwhile()) == 1
    shown = capsys.readouterr().err
    assert "is in use by" in shown
    assert "stop it" in shown
    assert [m.item for m in contents(file, OLD)] == memories


def test_an_index_is_filled_anew_if_that_is_asked_for(file, memories, environ, capsys):
    """No vector changes: the next start finds no index that it trusts."""
    environ.setenv("RECOLLECT_EMBEDDER__DIM", str(OLD.dim))
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("INSERT INTO index_marks VALUES ('f1', 7, NULL, 'me', 0)")
        database.commit()
        assert main(["reindex", "--yes"]) == 0
        assert "nothing to do" in capsys.readouterr().err
        assert database.execute("SELECT count(*) FROM index_marks").fetchone() == (1,)
        assert main(["reindex", "--rebuild", "--yes"]) == 0
        assert database.execute("SELECT count(*) FROM index_marks").fetchone() == (0,)
    assert [m.item for m in contents(file, OLD)] == memories


def test_a_broken_calibration_is_told_before_the_work(file, memories, tmp_path, capsys):
    """It would stop the next start, and then the old vectors would be gone. Nothing is changed."""
    (tmp_path / "data" / "calibration.json").write_text("{}}")
    assert main(["reindex", "--yes"]) == 1
    assert "calibration.json" in capsys.readouterr().err
    assert identity_in(file) == (OLD.id, OLD.dim)


def test_it_survives_being_killed(file, memories, environ, tmp_path):
    """`kill -9` in the middle: the next run goes on, and no memory is lost or doubled."""
    marker = tmp_path / "one-batch"
    script = f"""
import time
from pathlib import Path
from recollect.memory.embedders import FakeEmbedder
from recollect.proxy.cli import main

original, calls = FakeEmbedder.embed, []

async def slow(self, texts):
    calls.append(texts)
    if len(calls) > 1:
        Path({str(marker)!r}).touch()
        time.sleep(600)
    return await original(self, texts)

FakeEmbedder.embed = slow
main(["reindex", "--yes"])
"""
    child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
    try:
        wait_until(lambda: marker.exists() or child.poll() is not None, "the second batch")
        assert marker.exists()
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    texts = fail_after(environ, 10**9)
    assert main(["reindex", "--yes"]) == 0
    assert len(texts) == MANY - BATCH
    assert_moved(file, memories)
    assert identity_in(file) == (NEW.id, NEW.dim)
