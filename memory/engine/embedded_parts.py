"""Opens the embedded parts that a parent owns for its workers.

The parent holds the locks of the files, makes their tables, gives the jobs of the last
run back to the queue. It reads no memory and loads no model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..state import state_in
from ..util.registry import Registry
from .formats import refuse_other_formats
from .opening import open_the_database
from .options import EngineOptions


@asynccontextmanager
async def owning(options: EngineOptions) -> AsyncIterator[None]:
    """Own the embedded parts for as long as the block runs.

    Start the siblings within it. Parts that are servers are left to them.

    Raises:
        FormatError: a file is of another format; nothing was changed.
        StateError: a file cannot be opened at all.
    """
    refuse_other_formats(options)
    async with Registry() as registry:
        if options.database.kind == "sqlite":
            # A file that cannot be used now stops nobody: each sibling goes on without it.
            await state_in(await open_the_database(registry, options, serving=True))
        yield
