"""A full disk costs errors, never what was acknowledged, and is over when there is room again."""

import asyncio
import contextlib
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Spent
from recollect.memory.state import State, StateOptions, open_state
from tests.memory.state.contract import ALICE, NOON, job, turn

FILLER = "x" * 20_000
MANY = 200

Full = Callable[[State], AbstractContextManager[None]]


@contextlib.contextmanager
def pages_run_out(state: State) -> Iterator[None]:
    """SQLite finds the disk full: ``SQLITE_FULL``."""
    database = state.conversations._database  # type: ignore[attr-defined]
    connections = [database._connection, *([database._direct] if database._direct else [])]
    limit = "PRAGMA max_page_count={}"
    for connection in connections:
        connection.execute(limit.format(60)).fetchall()
    yield
    for connection in connections:
        connection.execute(limit.format(1_000_000)).fetchall()


@contextlib.contextmanager
def writing_fails(_state: State) -> Iterator[None]:
    """The operating system refuses to make files longer: the log cannot grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def record_until_full(state: State, *, at_once: bool) -> list[str]:
    """The names of turns that were acknowledged before the disk, and in spite of it."""
    kept = []

    async def attempt(name: str) -> None:
        try:
            await state.conversations.record(turn(name, name, steps=(), tokens=1, images=(FILLER,)))
        except StateError:
            return
        kept.append(name)

    await attempt("first")
    names = [f"t{n}" for n in range(MANY)]
    if at_once:
        await asyncio.gather(*(attempt(name) for name in names))
    else:
        for name in names:
            await attempt(name)
    return kept


@pytest.mark.parametrize(
    ("full", "synchronous", "at_once"),
    [(pages_run_out, "normal", True), (writing_fails, "full", False)],
)
async def test_a_full_disk_loses_nothing_acknowledged(tmp_path, full, synchronous, at_once):
    """Some turns are refused by StateError; every other one is there, and after a restart."""
    path = tmp_path / "state.db"
    options = StateOptions(url=path, synchronous=synchronous)  # type: ignore[arg-type]
    state = await open_state(options)
    with full(state):
        kept = await record_until_full(state, at_once=at_once)
        assert 0 < len(kept) <= MANY
        # Reading works all the while.
        assert len(await state.conversations.unlearned(kept[0], 9)) == 1

    for name in ("after", "later"):
        assert (await state.conversations.record(turn(name, name))).seq == 1
    assert await state.jobs.put(job("after"))
    await state.close()

    state = await open_state(options)
    pending = await state.conversations.pending(idle_since=None, scope=None)
    found = {t.conversation_id for t in pending}
    assert {*kept, "after", "later"} <= found
    assert all(t.images == (FILLER,) for t in pending if t.conversation_id in kept)
    assert await state.jobs.counts() == {"ready": 1, "leased": 0, "done": 0, "dead": 0}
    await state.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("full", [pages_run_out])
async def test_jobs_survive_a_full_disk(tmp_path, full):
    """A checkpoint that cannot be kept is a StateError; the lease and the job stay as they were."""
    state = await open_state(StateOptions(url=tmp_path / "state.db"))
    await state.jobs.put(job("j"))
    held = await state.jobs.claim(now=NOON, lease_seconds=60)
    assert held is not None
    with full(state):
        await record_until_full(state, at_once=False)
        with pytest.raises(StateError):
            await state.jobs.save_checkpoint(held, FILLER * 100)
    assert await state.jobs.counts() == {"ready": 0, "leased": 1, "done": 0, "dead": 0}
    assert await state.jobs.save_checkpoint(held, FILLER)
    assert await state.jobs.ack(held)
    # What makes room is possible again, and so is what must be exact.
    assert await state.conversations.erase(ALICE) > 0
    assert await state.ledger.spend("local", NOON.date(), Spent(1, 1, 1)) == Spent(1, 1, 1)
    await state.close()
