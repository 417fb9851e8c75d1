"""What one process owns for several that share embedded parts: the parent of siblings.

The parent holds the locks of the files, makes their tables, gives the jobs of the last
run back to the queue. It reads no memory and loads no model.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

from ..database import open_database
from ..model.errors import StateDamagedError, StateUnwritableError
from ..state import state_in
from .formats import refuse_other_formats
from .options import EngineOptions

log = logging.getLogger(__name__)


@asynccontextmanager
async def owning(options: EngineOptions) -> AsyncIterator[None]:
    """Own the embedded parts for as long as the block runs.

    Start the siblings within it. Parts that are servers are left to them.

    Raises:
        FormatError: a file is of another format; nothing was changed.
        StateError: a file cannot be opened at all.
    """
    refuse_other_formats(options)
    async with AsyncExitStack() as stack:
        if options.database.kind == "sqlite":
            with _usable():
                scripts = await open_database(options.database)
                stack.push_async_callback(scripts.close)
                await state_in(scripts)
        yield


@contextlib.contextmanager
def _usable() -> Iterator[None]:
    """A file that cannot be used now stops nobody: each sibling goes on without it."""
    try:
        yield
    except (StateDamagedError, StateUnwritableError) as error:
        log.error("%s", error)  # noqa: TRY400 - the reason is in the line
