"""How much room the files of tasks may take."""

import pytest

from recollect.config.server import SpoolOptions
from recollect.memory.model.types import utc_now
from recollect.proxy.api.tasks import spool as module
from recollect.proxy.api.tasks.record import Task, TaskKind
from recollect.proxy.api.tasks.spool import Spool, SpoolFullError, free_bytes
from recollect.proxy.api.tasks.store import TaskStore

K = 1024


@pytest.fixture
def spool(tmp_path, monkeypatch):
    """8 KiB of a tenant, 16 KiB of all, a disk with 100 KiB of which 10 are kept free."""
    made = Spool(
        TaskStore(tmp_path / "tasks"),
        SpoolOptions(per_tenant_bytes=8 * K),
    )
    made.disk = 100 * K
    monkeypatch.setattr(module, "RESERVE_BYTES", 10 * K)
    monkeypatch.setattr(module, "free_bytes", lambda _: made.disk)
    return made


def task(name, tenant="t", **ids):
    now = utc_now()
    kind = TaskKind.IMPORT
    return Task(id=name, kind=kind, tenant=tenant, ids=ids, created_at=now, updated_at=now)


async def test_a_tenant_has_a_share(spool):
    """What is expected counts before it has come; a file that ends makes room."""
    await spool.hold(task("a"), 0, expected=6 * K)
    assert (spool.used("t"), spool.used()) == (6 * K, 0)
    with pytest.raises(SpoolFullError, match=r"8192 bytes in a tenant \(api.spool.per_tenant"):
        await spool.hold(task("b"), 0, expected=3 * K)
    await spool.hold(task("a"), 6 * K, expected=6 * K)
    await spool.hold(task("b"), 2 * K)
    assert (spool.used("t"), spool.used()) == (8 * K, 8 * K)
    spool.drop("a")
    await spool.hold(task("b"), 8 * K)
    assert spool.used("t") == 8 * K


async def test_a_user_has_half_of_it(spool):
    """So that one user does not take the tenant's."""
    await spool.hold(task("a", user_id="ada"), 4 * K)
    with pytest.raises(SpoolFullError, match="4096 bytes for a user"):
        await spool.hold(task("b", user_id="ada"), 1)
    await spool.hold(task("c", user_id="bob"), 4 * K)


async def test_all_have_a_bound(spool):
    """Of what is there; a slow upload of one tenant takes nothing that others could use."""
    await spool.hold(task("slow", "t1"), 1, expected=8 * K)
    await spool.hold(task("a", "t2"), 8 * K)
    await spool.hold(task("other", "t4"), 4 * K)
    with pytest.raises(SpoolFullError, match=r"16384 bytes in all, twice api.spool.per_tenant"):
        await spool.hold(task("slow", "t1"), 4 * K + 1, expected=8 * K)
    with pytest.raises(SpoolFullError, match="in all"):
        await spool.hold(task("b", "t3"), 0, expected=5 * K)
    await spool.hold(task("b", "t3"), 3 * K)


async def test_the_disk_keeps_its_reserve(spool):
    """For turns and memories: a file that would reach it is refused before it is there."""
    spool.disk = 15 * K
    with pytest.raises(SpoolFullError, match="the disk under data_dir is full"):
        await spool.hold(task("a"), 0, expected=6 * K)
    await spool.hold(task("a"), 0, expected=5 * K)
    spool.disk = 12 * K
    with pytest.raises(SpoolFullError, match="the disk"):
        await spool.hold(task("a"), 3 * K, expected=5 * K)
    assert not spool.is_low
    spool.disk = 9 * K
    assert spool.is_low


async def test_what_can_be_spared_goes_first(spool):
    """Of those whose room helps; without any more it is refused."""
    kept = [task("x", "t2"), task("y"), task("z", user_id="ada")]
    for each in kept:
        spool.found(each, 2 * K)
    gone = []

    async def evict(full):
        found = next((each for each in kept if full.is_freed_by(each) and spool.has(each.id)), None)
        if found is not None:
            gone.append(found.id)
            spool.drop(found.id)
        return found is not None

    spool.evict = evict
    await spool.hold(task("new"), 6 * K)
    assert gone == ["y"]
    await spool.hold(task("more", "t3"), 7 * K)
    assert gone == ["y", "x"]
    with pytest.raises(SpoolFullError, match="in a tenant"):
        await spool.hold(task("most"), 7 * K)
    assert gone == ["y", "x", "z"]
    assert spool.used("t") == 6 * K


async def test_counts_end_with_the_files(spool):
    """Nothing is left of files that are gone."""
    for number in range(50):
        await spool.hold(task(f"n{number}", f"t{number}"), 1, expected=2)
        spool.let_go(f"n{number}")
    assert not spool._used
    assert not spool._held


def test_the_disk_of_a_folder_that_is_not_there_yet(tmp_path):
    """Is that of the nearest one that is."""
    assert free_bytes(tmp_path / "a" / "b") == pytest.approx(free_bytes(tmp_path), rel=0.1)
