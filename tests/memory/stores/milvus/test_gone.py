"""An embedded store whose files are not where they were opened: no write is said to be kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys

import pytest

from recollect.memory.model.errors import StoreError, StoreGoneError
from recollect.memory.model.types import Scope
from recollect.memory.stores import MilvusStoreOptions, open_store
from tests.memory.stores.contract import DIM, ids, memory
from tests.support.waiting import until

pytestmark = pytest.mark.process
ALICE = Scope(tenant="t", user_id="alice")


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "data" / "memories.db"


@pytest.fixture
async def store(data_dir):
    """With one row in its log."""
    options = MilvusStoreOptions(uri=str(data_dir))
    store = await open_store(options, embedder_id="test", dim=DIM)
    await store.put([memory(ALICE, id="before")])
    yield store
    with contextlib.suppress(StoreError):
        await store.close()


async def test_a_folder_that_is_moved_away_and_back(store, data_dir, tmp_path, caplog):
    """Writes are refused meanwhile, and it goes on with all that was there."""
    moved = data_dir.parent
    moved.rename(tmp_path / "elsewhere")
    for write in (
        lambda: store.put([memory(ALICE, id="during")]),
        lambda: store.delete("t", ["before"]),
        lambda: store.reset("t"),
        store.ping,
    ):
        with pytest.raises(StoreGoneError):
            await write()
    with pytest.raises(StoreGoneError):
        await store.maintain()
    assert caplog.text.count("is gone: ") == 1
    assert not moved.exists()
    (tmp_path / "elsewhere").rename(moved)
    await store.put([memory(ALICE, id="after")])
    await store.maintain()
    await store.ping()
    assert set(ids(await store.list(ALICE, limit=None))) == {"before", "after"}
    assert caplog.text.count("are back") == 1


async def test_a_process_that_dies_meanwhile_makes_no_empty_folder(store, data_dir, tmp_path):
    """It would be served as if there had never been a memory."""
    data_dir.rename(tmp_path / "elsewhere")
    os.kill(store._connection.endpoint.pid, signal.SIGKILL)

    async def told():
        try:
            await store.list(ALICE, limit=None)
        except StoreError as error:
            return isinstance(error, StoreGoneError)

    await until(told, "the restart that finds no folder")
    assert not data_dir.exists()
    (tmp_path / "elsewhere").rename(data_dir)

    async def listed():
        with contextlib.suppress(StoreError):
            return ids(await store.list(ALICE, limit=None))

    assert await until(listed, "the restart with the folder") == {"before"}


async def test_another_folder_in_its_place_is_left_alone(store, data_dir, tmp_path):
    """Neither rows nor files come into it."""
    data_dir.rename(tmp_path / "elsewhere")
    data_dir.mkdir()
    for write in (lambda: store.put([memory(ALICE, id="during")]), store.maintain):
        with pytest.raises(StoreGoneError):
            await write()
    assert list(data_dir.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_a_log_that_is_removed_is_made_anew(store, data_dir):
    """What was in it is in files after the next upkeep, and at the next start."""
    for log in data_dir.glob("collections/*/wal"):
        shutil.rmtree(log)
        log.mkdir()
    with pytest.raises(StoreGoneError):
        await store.ping()
    await store.maintain()
    await store.ping()
    await store.put([memory(ALICE, id="after")])
    await store.close()
    options = MilvusStoreOptions(uri=str(data_dir))
    again = await open_store(options, embedder_id="test", dim=DIM)
    assert set(ids(await again.list(ALICE, limit=None))) == {"before", "after"}
    await again.close()
