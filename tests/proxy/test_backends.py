"""Opening the engine's parts for whoever needs them."""

import stat
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from memory.errors import EmbeddingError, InvalidInputError, StoreError
from memory.types import StoredMemory
from proxy.backends import open_backends
from proxy.tasks import Tasks

from .composing import ALICE, memory, settings


@pytest.fixture
async def opened():
    """Opens backends, and closes them in the end."""
    async with AsyncExitStack() as stack:
        builds = Tasks()
        stack.push_async_callback(builds.drain, 0)

        async def open_with(chosen):
            return await open_backends(chosen, builds, stack)

        yield open_with


async def put(backends, item):
    [vector] = await backends.embedder.embed([item.text])
    await backends.store.put([StoredMemory(item, vector)])


async def recalled(backends, query):
    ranking = await backends.recaller.rank(ALICE, query, most=9)
    return [hit.item.text for hit in ranking.ranked]


async def test_the_parts_belong_together(opened, tmp_path):
    """What is written to the store is recalled, and no longer once it is changed or deleted."""
    backends = await opened(settings(tmp_path))
    await put(backends, memory("I like green tea"))
    assert await recalled(backends, "green tea") == ["I like green tea"]
    await put(backends, replace(memory("I like green tea"), text="I like black tea"))
    assert await recalled(backends, "tea") == ["I like black tea"]
    await backends.store.delete("local", ["I like green tea"])
    assert await recalled(backends, "tea") == []
    assert backends.notes == {}


async def test_the_stack_closes_them(tmp_path):
    """Whoever leaves the stack leaves nothing open."""
    async with AsyncExitStack() as stack:
        backends = await open_backends(settings(tmp_path), Tasks(), stack)
    with pytest.raises(EmbeddingError):
        await backends.embedder.embed(["tea"])
    with pytest.raises(StoreError):
        await backends.store.list(ALICE, limit=1)


async def test_the_folder_is_the_owners_only(opened, tmp_path):
    """It is made if it is not there, and nobody else can look into it."""
    chosen = settings(tmp_path, state__backend="sqlite", history__backend="sqlite")
    await opened(chosen)
    assert stat.S_IMODE(chosen.data_dir.stat().st_mode) == 0o700


async def test_a_damaged_file_is_told(opened, tmp_path):
    """State that cannot be read is set aside and named, and the rest is opened."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "state.db").write_bytes(b"no database at all" * 99)
    backends = await opened(settings(tmp_path, state__backend="sqlite"))
    [name] = backends.notes
    assert name.startswith("state.db")
    assert (tmp_path / "data" / name).exists()
    assert backends.notes[name] == "set aside as damaged"
    assert await backends.state.jobs.depth() == 0


async def test_an_absent_server_is_no_obstacle(opened, tmp_path, unused_tcp_port):
    """A remote store may come later: until then its calls fail and everything else is there."""
    server = {
        "store__backend": "milvus",
        "store__uri": f"http://127.0.0.1:{unused_tcp_port}",
        "store__timeout_seconds": 0.5,
    }
    backends = await opened(settings(tmp_path, **server))
    with pytest.raises(StoreError):
        await backends.store.list(ALICE, limit=1)
    assert await backends.state.jobs.depth() == 0


async def test_thresholds_that_nobody_measured(opened, tmp_path, caplog):
    """They are guessed, and that is said."""
    await opened(settings(tmp_path))
    assert any("recollect calibrate" in record.message for record in caplog.records)


async def test_damaged_thresholds(opened, tmp_path):
    """A file that cannot be read is an error that names it, and no guess."""
    path = tmp_path / "calibration.json"
    path.write_text("{")
    with pytest.raises(InvalidInputError, match="calibration"):
        await opened(settings(tmp_path, recall__calibration=str(path)))
