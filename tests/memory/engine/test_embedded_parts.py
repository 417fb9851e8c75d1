"""What the parent of siblings owns."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.engine.embedded_parts import owning
from recollect.memory.engine.options import EngineOptions
from recollect.memory.index import MilvusIndexOptions
from recollect.memory.model.types import Job, Scope
from recollect.memory.state import State, state_in
from recollect.memory.state.log_readers import among_siblings
from recollect.memory.util.locks import flock_holder, lock_of
from recollect.memory.util.sibling_messages import SiblingMessages
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
        database=DatabaseOptions.model_validate({"url": folder / "recollect.db"}),
        index=MilvusIndexOptions(uri="http://127.0.0.1:1"),
    )


async def test_the_files_are_those_of_the_parent(tmp_path: Path) -> None:
    """As long as it lives; a server is left alone."""
    file = tmp_path / "recollect.db"
    async with owning(_options(tmp_path)):
        assert flock_holder(lock_of(file))
    assert flock_holder(lock_of(file)) is None


async def test_a_damaged_file_stops_nobody(tmp_path: Path) -> None:
    """Each worker goes on without it, and says so."""
    (tmp_path / "recollect.db").write_bytes(b"no database" * 1000)
    async with owning(_options(tmp_path)):
        pass


async def _opened(options: EngineOptions, sibling_messages: SiblingMessages) -> State:
    scripts = await open_database(options.database, owned=False)
    return among_siblings(
        await state_in(scripts, holder=f"{sibling_messages.sibling.number}:"), sibling_messages
    )


async def test_jobs_of_a_dead_worker_are_taken_back_by_its_successor(tmp_path: Path) -> None:
    """At once; those of the other worker stay its own. The next parent takes back all."""
    options = _options(tmp_path)
    one, two = (SiblingMessages(Sibling(tmp_path, number, 2)) for number in range(2))
    async with owning(options):
        state = await _opened(options, one)
        other = await _opened(options, two)
        for scope in (ALICE, BOB):
            await state.jobs.put(_job(scope))
        mine = await state.jobs.claim(now=NOW, lease_seconds=60)
        theirs = await other.jobs.claim(now=NOW, lease_seconds=60)
        assert mine is not None
        assert theirs is not None
        await state.close()
        again = await _opened(options, one)
        assert again.shared
        assert (await again.jobs.counts())["ready"] == 1
        assert not await again.jobs.extend(mine, until=NOW)
        assert await other.jobs.extend(theirs, until=NOW)
        await again.close()
        await other.close()
    async with owning(options):
        state = await _opened(options, one)
        assert (await state.jobs.counts())["ready"] == 2
        await state.close()
