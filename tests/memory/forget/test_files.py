"""On durable stores: what was forgotten is in no file any more."""

from pathlib import Path

from recollect.memory.language import stored_terms
from recollect.memory.memories import open_memories
from recollect.memory.model.types import Job
from recollect.memory.state import HistoryOptions, open_history
from recollect.memory.state.sqlite import open_sqlite_state
from tests.memory.forget.parts import ALICE, BOB, EMBEDDER, NOON, Parts, memory, record, turn

SECRET = "the cellar code is mauve"
TEA = "bob likes tea"


def holding(folder: Path, text: str) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if text.encode() in path.read_bytes()}


async def test_no_file_of_the_state_holds_it(tmp_path):
    """Turns, checkpoints, what a model answered, history and memories; another user's stay."""
    state = await open_sqlite_state(tmp_path / "state.db", "normal")
    store = await open_memories(
        state.scripts, embedder_id=EMBEDDER.id, dim=EMBEDDER.dim, terms=stored_terms
    )
    url = tmp_path / "history.db"
    history = await open_history(HistoryOptions(backend="sqlite", url=str(url)))
    parts = Parts(
        conversations=state.conversations,
        jobs=state.jobs,
        history=history,
        tombstones=state.tombstones,
        store=store,
    )
    for name, scope, said in (("a", ALICE, SECRET), ("b", ALICE, SECRET), ("c", BOB, TEA)):
        await parts.conversations.record(turn(name, said, scope, name))
        await history.append([record(name, said, scope=scope)])
    await parts.put(memory("a", SECRET, turns=("a",)), memory("c", TEA, BOB, turns=("c",)))
    for name in ("dead", "ready"):
        job = Job(id=name, scope=ALICE, conversation_id=name, upto_seq=1, reason="test")
        await parts.jobs.put(job)
        held = await parts.jobs.claim(now=NOON, lease_seconds=60)
        assert await parts.jobs.save_checkpoint(held, SECRET)
        if name == "dead":
            await parts.jobs.dead_letter(held, error="unreadable", raw=SECRET)
        else:
            await parts.jobs.retry(held, at=NOON, error="later")
    assert len(holding(tmp_path, SECRET)) >= 2
    receipt = await parts.forgetter().forget_scope(ALICE)
    assert (receipt.turns, receipt.jobs, receipt.history) == (2, 2, 2)
    await state.close()
    await history.close()
    assert holding(tmp_path, SECRET) == set()
    assert len(holding(tmp_path, TEA)) == 2
