"""Settings for composing parts in a test's process, and a turn to learn from."""

import uuid

from recollect.config import load_settings
from recollect.memory.learn import job_for
from recollect.memory.model.types import MemoryItem, MemoryType, Scope, Turn, utc_now

ALICE = Scope(tenant="local", user_id="alice")


def settings(tmp_path, **flags):
    """Everything in memory that can be; options by their names with `__`, None for the default."""
    chosen = {
        "data_dir": str(tmp_path / "data"),
        "upstream.base_url": "http://nobody.invalid/v1",
        "telemetry.metrics": "localhost:0",
        "embedder.backend": "fake",
        "index.backend": "exact",
        "database.url": ":memory:",
        "learn.llm.model": "scripted",
        "upkeep.kinds.episodes": False,
        **{key.replace("__", "."): value for key, value in flags.items()},
    }
    return load_settings(environ={}, flags=chosen)


async def capture(state, text, *, due=True, name="t", scope=ALICE, at=None):
    """Record one turn as the proxy does, with a job for it if it is due; returns its id."""
    turn = Turn(
        id=uuid.uuid4().hex,
        conversation_id=f"of-{name}",
        scope=scope,
        user_text=text,
        assistant_text="I see",
        model="m",
        created_at=at or utc_now(),
    )
    recorded = await state.conversations.record(turn)
    if due:
        await state.jobs.put(job_for(turn, recorded.seq, reason="turns"))
    return turn.id


async def texts(store, scope=ALICE):
    return [item.text for item in await store.list(scope, limit=None)]


def memory(text):
    """One of alice's, whose id is its text."""
    now = utc_now()
    return MemoryItem(
        id=text,
        text=text,
        type=MemoryType.SEMANTIC,
        scope=ALICE,
        created_at=now,
        updated_at=now,
        embedder_id="e",
    )
