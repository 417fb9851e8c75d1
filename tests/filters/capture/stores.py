"""Real stores for tests of the capture: in a file, and on a real Redis."""

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

from recollect.memory.state.redis import open_redis_state
from tests.support.state import opened_state


@asynccontextmanager
async def in_a_file(_server):
    """The embedded state, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        state = await opened_state(Path(folder) / "state.db")
        yield state.conversations, state.jobs
        await state.close()


@asynccontextmanager
async def on_redis(server):
    """The shared state, under a name of its own."""
    state = await open_redis_state(server.url, prefix=f"{uuid4()}:", turn_ttl_days=1)
    yield state.conversations, state.jobs
    await state.close()
