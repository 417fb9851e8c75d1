"""Memories in this process for tests, thousands of which begin with none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from recollect.memory.database.scripts import ScriptRunner
from recollect.memory.memories import SqlMemories, open_memories
from recollect.memory.memories.script_runner import FEW_ROWS
from recollect.memory.model.ports import Analyzer, Embedder
from recollect.memory.model.types import StoredMemory

from .state import database_at, in_memory_scripts

T = TypeVar("T")


class InMemoryMemories(SqlMemories):
    """Memories without an index, in a database of their own if none is given."""

    def __init__(
        self,
        *,
        dim: int,
        terms: Analyzer | None = None,
        embedder_id: str = "fake",
        scripts: ScriptRunner | None = None,
        writer: str = "",
    ) -> None:
        self.database = scripts or in_memory_scripts()
        self.dim = dim
        super().__init__(self.database, embedder_id=embedder_id, dim=dim, terms=terms)
        self.writer = writer
        # It is also used within transactions, which wait for no thread.
        self._scripts.apart = _here  # type: ignore[method-assign]

    @property
    def all(self) -> dict[str, StoredMemory]:
        """What is kept, by id; up to `FEW_ROWS` memories."""
        return {one.item.id: one for one in at_once(self.scan(after=None, limit=FEW_ROWS))}


async def _here(work: Callable[[], T], *, size: int) -> T:
    return work()


@asynccontextmanager
async def memories_in(
    file: Path, embedder: Embedder, *, terms: Analyzer | None = None
) -> AsyncIterator[SqlMemories]:
    """The memories in the product's database, in vectors of this embedder."""
    scripts = await database_at(str(file))
    try:
        yield await open_memories(scripts, embedder_id=embedder.id, dim=embedder.dim, terms=terms)
    finally:
        await scripts.close()


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of what waits for nothing: for a database in this process nothing does."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits for something")
