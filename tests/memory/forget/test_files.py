"""On durable stores: what was forgotten is in no file any more."""

from pathlib import Path

from recollect.memory.database.history import SqlHistory
from recollect.memory.model.types import Job
from tests.memory.forget.parts import ALICE, BOB, NOON, Parts, memory, record, turn
from tests.support.state import opened_state

SECRET = "the cellar code is mauve"
TEA = "bob likes tea"


def holding(folder: Path, text: str) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if text.encode() in path.read_bytes()}


async def test_no_file_of_the_state_holds_it(tmp_path):
    """Turns, checkpoints, what a model answered, and history; another user's stay."""
    state = await opened_state(tmp_path / "recollect.db")
    history = SqlHistory(state.scripts)
    parts = Parts(
        conversations=state.conversations,
        jobs=state.jobs,
        history=history,
        tombstones=state.tombstones,
    )
    for name, scope, said in (("a", ALICE, SECRET), ("b", ALICE, SECRET), ("c", BOB, TEA)):
        await parts.conversations.record(turn(name, said, scope, name))
        await history.append([record(name, said, scope=scope)])
    await parts.put(memory("a", SECRET, turns=("a",)))
    for name in ("dead", "ready"):
        job = Job(id=name, scope=ALICE, conversation_id=name, upto_seq=1, reason="test")
        await parts.jobs.put(job)
        held = await parts.jobs.claim(now=NOON, lease_seconds=60)
        assert await parts.jobs.save_checkpoint(held, SECRET)
        if name == "dead":
            await parts.jobs.dead_letter(held, error="unreadable", raw=SECRET)
        else:
            await parts.jobs.retry(held, at=NOON, error="later")
    assert holding(tmp_path, SECRET)
    receipt = await parts.forgetter().forget_scope(ALICE)
    assert (receipt.turns, receipt.jobs, receipt.history) == (2, 2, 2)
    await state.close()
    assert holding(tmp_path, SECRET) == set()
    assert holding(tmp_path, TEA) == {"recollect.db"}
