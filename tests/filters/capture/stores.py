"""Real stores for tests of the capture: in a file, and on a real PostgreSQL."""

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

from recollect.memory.state import state_of
from tests.support.postgres_server import empty_database
from tests.support.state import database_at, opened_state


@asynccontextmanager
async def in_a_file(_server):
    """The embedded state, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        state = await opened_state(Path(folder) / "recollect.db")
        yield state.conversations, state.jobs
        await state.close()


@asynccontextmanager
async def on_postgres(server):
    """The shared state, in a database of its own."""
    async with empty_database(server) as url:
        state = state_of(await database_at(url))
        yield state.conversations, state.jobs
        await state.close()
