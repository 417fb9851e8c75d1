"""Opening the engine's parts for whoever needs them."""

import stat
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from memory.errors import (
    EmbeddingError,
    InvalidInputError,
    StateDamagedError,
    StateUnwritableError,
    StoreError,
)
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
    assert backends.refused == 0
    await backends.ping_history()


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


@pytest.mark.parametrize("part", ["state", "history"])
async def test_without_a_damaged_file_the_rest_goes_on(opened, tmp_path, caplog, part):
    """The file is named and left alone, its part says so at every call, and memories are recalled."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / f"{part}.db"
    file.write_bytes(b"no database at all" * 99)
    backends = await opened(settings(tmp_path, **{f"{part}__backend": "sqlite"}))
    ping = backends.state.ping if part == "state" else backends.ping_history
    with pytest.raises(StateDamagedError) as damage:
        await ping()
    assert damage.value.advice.startswith(file.name)
    assert (backends.state.missing is not None) == (part == "state")
    await put(backends, memory("I like green tea"))
    assert await recalled(backends, "green tea") == ["I like green tea"]
    assert str(file) in caplog.text
    assert [p.name for p in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == b"no database at all" * 99


async def test_refused_writes_are_counted(opened, tmp_path):
    """Those of the state and those of the history, together."""
    flags = {"state__backend": "sqlite", "history__backend": "sqlite"}
    backends = await opened(settings(tmp_path, **flags))
    for part in (backends.state.conversations, backends.history):
        part._database.writes.refuse(StateUnwritableError("full"))
    assert backends.refused == 2


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
