"""The embedded Milvus keeps the contract, in a process that those who use it share."""

import json
import os
import signal
import socket
import struct
import tempfile
from functools import partial
from pathlib import Path

import pytest

from recollect.memory.index import MilvusIndexOptions
from recollect.memory.index.follower import IndexFollower
from recollect.memory.index.port import IndexFilter
from recollect.memory.model.errors import StoreError
from tests.memory.index.contract import ACME, DIM, VECTORS, FolderContract, keys, row
from tests.memory.index.world import World
from tests.support.budget import scaled
from tests.support.waiting import until

pytestmark = pytest.mark.process


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index.milvus"


@pytest.fixture
def open_index(opening, folder):
    return partial(opening, MilvusIndexOptions(uri=str(folder)))


class TestLite(FolderContract):
    many = scaled(10_000)


def child_of(index):
    """The process that serves it."""
    with socket.socket(fileno=os.dup(index._client.fileno())) as connection:
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return struct.unpack("3i", credentials)[0]


async def has_ended(pid):
    await until(lambda: not Path(f"/proc/{pid}").exists(), f"the end of process {pid}")


class TestProcess:
    async def test_those_who_open_a_folder_share_it(self, open_index):
        """Workers of one folder, or a command beside a server; whoever ends takes nothing along."""
        first, second = await open_index(dim=DIM), await open_index(dim=DIM)
        assert child_of(first) == child_of(second)
        await first.drop()
        await first.put([row(1)])
        await first.close()
        assert keys(await second.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [1]

    async def test_one_that_died_is_an_error_and_the_next_one_has_every_row(self, open_index):
        """Each write is in a file when it returns."""
        index = await open_index(dim=DIM)
        await index.drop()
        await index.put([row(1), row(2)])
        await index.delete([2])
        os.kill(child_of(index), signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(StoreError):
                await index.ping()
        again = await open_index(dim=DIM)
        await again.ping()
        assert keys(await again.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [1]

    async def test_it_ends_when_the_last_one_was_killed(self, open_index, folder):
        """Nobody looks after it, so it looks itself; and it leaves nothing behind."""
        index = await open_index(dim=DIM)
        pid, where = child_of(index), Path(json.loads((folder / "socket-2").read_text())["address"])
        index._client.close()
        index._client = None
        await has_ended(pid)
        assert not where.parent.exists()
        assert not (folder / "in-use").exists()

    async def test_a_failure_ends_it(self, open_index):
        """What is left is opened anew, and thrown away if that fails: nothing half done goes on."""
        index = await open_index(dim=DIM)
        await index.drop()
        pid = child_of(index)
        with pytest.raises(StoreError, match="search failed"):
            await index._call("search", lambda: index._ask("search", VECTORS[1], "tenant ==", 1))
        await has_ended(pid)
        await (await open_index(dim=DIM)).ping()

    async def test_a_call_that_is_given_up_is_not_answered_later(self, open_index, monkeypatch):
        """The next call would take that answer for its own."""
        index = await open_index(dim=DIM)
        await index.drop()
        monkeypatch.setattr(MilvusIndexOptions, "call_seconds", 0.01)
        pid = child_of(index)
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreError):
                await index.search(VECTORS[0], IndexFilter(ACME), limit=1)
        finally:
            os.kill(pid, signal.SIGCONT)
        with pytest.raises(StoreError):
            await index.ping()

    async def test_the_path_of_a_socket_may_not_be_long(self, open_index, tmp_path, monkeypatch):
        """The system takes a hundred bytes."""
        long = tmp_path / ("x" * 100)
        long.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(long))
        await (await open_index(dim=DIM)).drop()


async def test_a_follower_fills_it_again_after_it_was_killed_and_removed(opening, folder):
    """Whatever happens to the process and the folder, index and database become one."""
    world = World()
    world.database.put(*range(1, 20))
    options = MilvusIndexOptions(uri=str(folder))
    follower = IndexFollower(
        world.database, world.database, partial(opening, options, dim=2), name="index"
    )

    async def followed():
        try:
            return not await follower.step() and follower.state.word == "ready"
        except StoreError as error:
            await follower._failed(error)

    await until(followed)
    os.kill(child_of(follower._index), signal.SIGKILL)
    world.database.put(20)
    world.database.remove(3)
    await until(followed)
    assert world.server.rows is None  # it is not the fake one
    hits = await follower.search(world.database.row(1).vector, IndexFilter(1), limit=99)
    assert set(keys(hits)) == set(world.database.there)
    await follower.close()
