"""In a file: what was forgotten is not in it any more."""

from pathlib import Path
from typing import get_args

import pytest

from recollect import AsyncMemory
from recollect.memory.database.sqlite import open_sqlite
from recollect.memory.database.sqlite.connect import Synchronous
from recollect.memory.forget import Forgetter
from recollect.memory.model.tasks import TaskState
from recollect.memory.model.types import Job
from recollect.memory.state import state_of
from tests.memory.forget.parts import ALICE, BOB, EMBEDDER, KEY, NOON, memory, record, stored, turn
from tests.memory.state.contracts.tasks import roomy, running
from tests.support.parts import engine_of, parts_of
from tests.support.unsaid import NothingSaid

SECRET = "the cellar code is mauve"
TEA = "bob likes tea"


def holding(folder: Path, text: str) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if text.encode() in path.read_bytes()}


@pytest.mark.parametrize("synchronous", get_args(Synchronous))
async def test_no_file_holds_it(tmp_path, synchronous):
    """Memories, turns, checkpoints, what a model answered, and history; another user's stay."""
    scripts = await open_sqlite(tmp_path / "recollect.db", synchronous)
    parts = parts_of(state=state_of(scripts), embedder=EMBEDDER)
    conversations, jobs = parts.state.conversations, parts.state.jobs
    for name, scope, said in (("a", ALICE, SECRET), ("b", ALICE, SECRET), ("c", BOB, TEA)):
        await conversations.record(turn(name, said, scope, name))
        await parts.history.append([record(name, said, scope=scope)])
    await stored(parts.store, memory("a", SECRET, turns=("a",)))
    for name in ("dead", "ready"):
        job = Job(id=name, scope=ALICE, conversation_id=name, upto_seq=1, reason="test")
        await jobs.put(job)
        held = await jobs.claim(now=NOON, lease_seconds=60)
        assert await jobs.save_checkpoint(held, SECRET)
        if name == "dead":
            await jobs.dead_letter(held, error="unreadable", raw=SECRET)
        else:
            await jobs.retry(held, at=NOON, error="later")
    assert holding(tmp_path, SECRET)
    forgetter = Forgetter(parts, heard=NothingSaid(), key=KEY)
    receipt = await forgetter.forget_scope(ALICE)
    assert (receipt.memories, receipt.turns, receipt.jobs, receipt.history) == (1, 2, 2, 2)
    assert holding(tmp_path, SECRET) == set()
    await scripts.close()
    assert holding(tmp_path, SECRET) == set()
    assert holding(tmp_path, TEA) == {"recollect.db"}


async def test_no_file_holds_the_name_of_anybody_it_spoke_of(tmp_path):
    """The graph falls with the memory, while another one speaks of the same place."""
    scripts = await open_sqlite(tmp_path / "recollect.db")
    engine = engine_of(state=state_of(scripts), embedder=EMBEDDER)
    memory = AsyncMemory(engine)
    added = await memory.add("I met Zebulon Quackenbush in Tbilisi", user_id="a", infer=False)
    await memory.add("I fly to Tbilisi", user_id="a", infer=False)
    await engine.graph.settled()
    assert holding(tmp_path, "Quackenbush")
    receipt = await memory.forget(added["results"][0]["id"], user_id="a")
    assert (receipt["erased"]["links"], receipt["erased"]["entities"]) == (1, 1)
    await engine.graph.settled()
    await engine.close()
    await scripts.close()
    files = [path.read_bytes().lower() for path in tmp_path.rglob("*") if path.is_file()]
    assert not [each for each in files if b"quackenbush" in each]
    assert [each for each in files if b"tbilisi" in each]


async def test_no_file_of_a_task_holds_it(tmp_path):
    """Whoever forgets, also without a server: an export that may have it has failed."""
    scripts = await open_sqlite(tmp_path / "recollect.db")
    tasks = (state := state_of(scripts)).tasks
    engine = engine_of(state=state, embedder=EMBEDDER)
    added = await AsyncMemory(engine).add(SECRET, user_id="a", infer=False)
    exported = await running(tasks, "t", "local")
    assert await tasks.step(exported, SECRET.encode(), roomy)
    await tasks.end(exported, TaskState.DONE, spare=True)
    await AsyncMemory(engine).forget(added["results"][0]["id"], user_id="a")
    kept = await tasks.find("local", "t")
    assert (kept.state, kept.file, await tasks.read(exported, 0)) == (TaskState.FAILED, "", b"")
    await engine.close()
    await scripts.close()
