"""What the parent of siblings owns."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from recollect.memory.engine.options import EngineOptions, unshareable
from recollect.memory.engine.owning import owning
from recollect.memory.model.types import Job, Scope
from recollect.memory.state import HistoryOptions, StateOptions, open_state
from recollect.memory.stores import ChromaStoreOptions, MilvusStoreOptions, QdrantStoreOptions
from recollect.memory.util.locks import flock_holder, lock_of
from recollect.memory.util.mesh import Mesh
from recollect.memory.util.siblings import Sibling

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


def _job(scope: Scope) -> Job:
    return Job(
        id=f"job of {scope.user_id}",
        scope=scope,
        conversation_id=f"c {scope.user_id}",
        upto_seq=1,
        reason="turns",
    )


def _options(folder: Path) -> EngineOptions:
    return EngineOptions(
        state=StateOptions(url=str(folder / "state.db")),
        history=HistoryOptions(url=str(folder / "history.db")),
        store=MilvusStoreOptions(uri="http://127.0.0.1:1"),
    )


async def test_the_files_are_those_of_the_parent(tmp_path: Path) -> None:
    """As long as it lives; a server is left alone."""
    state = tmp_path / "state.db"
    async with owning(_options(tmp_path), tmp_path):
        assert flock_holder(lock_of(state))
        assert (tmp_path / "history.db").exists()
    assert flock_holder(lock_of(state)) is None


async def test_a_damaged_file_stops_nobody(tmp_path: Path) -> None:
    """Each worker goes on without it, and says so."""
    (tmp_path / "state.db").write_bytes(b"no database" * 1000)
    async with owning(_options(tmp_path), tmp_path):
        pass


async def test_jobs_of_a_dead_worker_are_taken_back_by_its_successor(tmp_path: Path) -> None:
    """At once; those of the other worker stay its own. The next parent takes back all."""
    options = _options(tmp_path)
    one, two = (Mesh(Sibling(tmp_path, number, 2)) for number in range(2))
    async with owning(options, tmp_path):
        state = await open_state(options.state, one)
        other = await open_state(options.state, two)
        for scope in (ALICE, BOB):
            await state.jobs.put(_job(scope))
        mine = await state.jobs.claim(now=NOW, lease_seconds=60)
        theirs = await other.jobs.claim(now=NOW, lease_seconds=60)
        assert mine is not None
        assert theirs is not None
        await state.close()
        again = await open_state(options.state, one)
        assert again.shared
        assert (await again.jobs.counts())["ready"] == 1
        assert not await again.jobs.extend(mine, until=NOW)
        assert await other.jobs.extend(theirs, until=NOW)
        await again.close()
        await other.close()
    async with owning(options, tmp_path):
        state = await open_state(options.state, one)
        assert (await state.jobs.counts())["ready"] == 2
        await state.close()


def test_what_keeps_nothing_cannot_be_shared(tmp_path: Path) -> None:
    """The key is named, and what is expected."""
    alone, options = EngineOptions(), _options(tmp_path)
    assert list(unshareable(options)) == []
    for part in ("store", "state", "history"):
        [(key, expected)] = unshareable(options.model_copy(update={part: getattr(alone, part)}))
        assert key.startswith(part)
        assert "several processes" in expected


async def test_a_folder_for_one_process_cannot_be_shared(tmp_path: Path) -> None:
    """Nor does the parent open another kind of store in it."""
    folder = tmp_path / "memories"
    for kind in (QdrantStoreOptions, ChromaStoreOptions):
        options = _options(tmp_path).model_copy(update={"store": kind(uri=str(folder))})
        assert [key for key, _ in unshareable(options)] == ["index.uri"]
        async with owning(options, tmp_path):
            assert not folder.exists()
        remote = options.model_copy(update={"store": kind(uri="http://127.0.0.1:1")})
        assert list(unshareable(remote)) == []
