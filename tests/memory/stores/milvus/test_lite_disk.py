"""A disk that takes no more: what is refused changed nothing, what was acknowledged is kept."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
from pathlib import Path

import pytest

from recollect.memory.model.errors import StoreError, StoreUnwritableError
from recollect.memory.model.types import Scope
from recollect.memory.stores import MilvusStoreOptions, open_store
from recollect.memory.stores.milvus import lite
from recollect.memory.stores.milvus.lite_disk import MARK, PROBE, is_refusal, require_room
from tests.memory.stores.contract import DIM, ids, memory
from tests.memory.stores.milvus.test_lite import answered, child_of
from tests.support.budget import FACTOR, WHOLE

pytestmark = pytest.mark.process

ALICE = Scope(tenant="t", user_id="alice")
FULL = 4096
"""Bytes: no file may grow beyond this, which is what a full disk does to every file."""

# The child with its question for room left out: what happens when a write fails all the same.
RASH = f"""
import importlib.util, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("lite_server", {str(lite._SERVER)!r})
server = importlib.util.module_from_spec(spec)
spec.loader.exec_module(server)
ours = server._ours
def rash(name):
    module = ours(name)
    if name == "lite_disk":
        module.require_room = lambda *_: None
    return module
server._ours = rash
sys.exit(server.main(Path(sys.argv[1]), Path(sys.argv[2])))
"""


@pytest.fixture
async def open_lite(tmp_path):
    """Opens the store on one folder, with no flush unless it is asked for."""
    opened = []

    async def open_it(folder=tmp_path / "memories.db"):
        options = MilvusStoreOptions(uri=str(folder))
        opened.append(await open_store(options, embedder_id="test", dim=DIM))
        opened[-1]._writer.flush_every = 10_000
        return opened[-1]

    yield open_it
    for store in opened:
        await store.close()


def fill_disk(pid: int, size: int = FULL) -> None:
    """From now on the kernel refuses this process every write beyond so many bytes of a file."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def fill(ballast: Path) -> None:
    with ballast.open("wb") as file:
        while True:
            file.write(bytes(4096))


def make_room(pid: int) -> None:
    fill_disk(pid, resource.RLIM_INFINITY)


async def test_a_full_disk_is_refused_and_seen(open_lite):
    """Nothing can be put and the ping says why, while reading goes on; room mends it by itself."""
    store = await open_lite()
    kept = [memory(ALICE) for _ in range(3)]
    await store.put(kept)
    pid = child_of(store)
    fill_disk(pid)
    with pytest.raises(StoreUnwritableError, match=MARK):
        await store.put([memory(ALICE)])
    with pytest.raises(StoreUnwritableError, match=MARK):
        await store.ping()
    with pytest.raises(StoreUnwritableError):
        await store.maintain()
    assert await answered(store) == {m.item.id for m in kept}
    make_room(pid)
    await store.maintain()
    await store.ping()
    more = memory(ALICE)
    await store.put([more])
    assert await answered(store) == {m.item.id for m in (*kept, more)}
    assert child_of(store) == pid


async def test_a_deletion_is_refused_too(open_lite):
    """Nothing is said to be gone that is still there; with room the same call deletes it."""
    store = await open_lite()
    kept, gone = memory(ALICE), memory(ALICE)
    await store.put([kept])
    await store.maintain()
    await store.put([gone])
    pid = child_of(store)
    fill_disk(pid)
    for deletion in (store.delete("t", [gone.item.id]), store.reset("t")):
        with pytest.raises(StoreUnwritableError, match=MARK):
            await deletion
    assert await answered(store) == ids([kept, gone])
    make_room(pid)
    await store.delete("t", [gone.item.id])
    assert await answered(store) == ids([kept])


@pytest.mark.parametrize("flush", ["maintain", "put"][: 1 + (FACTOR >= WHOLE)])
async def test_a_flush_that_fails_in_the_middle_loses_nothing(
    open_lite, monkeypatch, tmp_path, flush
):
    """The child ends, the next one reads the log; a later write does not delete that log."""
    rash = tmp_path / "rash.py"
    rash.write_text(RASH)
    monkeypatch.setattr(lite, "_SERVER", rash)
    store = await open_lite()
    kept = [memory(ALICE) for _ in range(3)]
    await store.put(kept)
    pid = child_of(store)
    fill_disk(pid, 1)
    with pytest.raises(StoreError):
        await (store.maintain() if flush == "maintain" else store.put([memory(ALICE, "x" * 9000)]))
    assert await answered(store) == {m.item.id for m in kept}
    assert child_of(store) != pid
    more = memory(ALICE)
    await store.put([more])
    await store.maintain()
    assert await answered(store) == {m.item.id for m in (*kept, more)}
    await store.close()
    again = await open_lite()
    assert await answered(again) == {m.item.id for m in (*kept, more)}


async def test_a_disk_that_is_full_at_the_start(open_lite):
    """What the log holds is served from memory, and is written down once there is room."""
    store = await open_lite()
    kept = [memory(ALICE) for _ in range(3)]
    await store.put(kept)
    os.kill(child_of(store), 9)
    await store.close()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, hard))
    try:
        again = await open_lite()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert await answered(again) == {m.item.id for m in kept}
    with pytest.raises(StoreUnwritableError):
        await again.put([memory(ALICE)])
    make_room(child_of(again))
    more = memory(ALICE)
    await again.put([more])
    await again.maintain()
    assert await answered(again) == {m.item.id for m in (*kept, more)}


async def test_a_real_small_disk(open_lite, tmp_path):
    """ENOSPC itself, where a file system can be mounted: filled to the last byte, then emptied."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        store = await open_lite(disk / "memories.db")
        kept = [memory(ALICE) for _ in range(3)]
        await store.put(kept)
        ballast = disk / "ballast"
        with pytest.raises(OSError, match="No space"):
            fill(ballast)
        with pytest.raises(StoreUnwritableError):
            await store.maintain()
        os.kill(child_of(store), 9)
        assert await answered(store) == {m.item.id for m in kept}
        ballast.unlink()
        more = memory(ALICE)
        await store.put([more])
        await store.maintain()
        assert await answered(store) == {m.item.id for m in (*kept, more)}
        await store.close()
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_room_is_asked_for_and_given_back(tmp_path):
    """Nothing is left of the question, and a refusal is recognised behind any wrapping."""
    require_room(tmp_path, 1 << 20)
    assert not (tmp_path / PROBE).exists()
    with pytest.raises(OSError, match=MARK) as refusal:
        require_room(tmp_path / "absent", 1)
    assert is_refusal(refusal.value)
    assert is_refusal(OSError(errno.EDQUOT, "quota"))
    assert is_refusal(RuntimeError(f"gRPC said: {MARK}: No space left on device"))
    assert not is_refusal(OSError(errno.ENOENT, "absent"))
    assert not is_refusal(ValueError("damaged"))
