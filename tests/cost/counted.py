"""What is counted of a request, and the parts of the product that count it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import StoredMemory, Vectors
from tests.support.memories import InMemoryMemories

from .calls import unheard


@dataclass(frozen=True, slots=True)
class Counts:
    """What one request costs, all but `copied` and `functions` to the last one."""

    embeddings: int = 0
    """Calls of the embedder, below its cache."""
    texts: int = 0
    """Texts in these calls."""
    statements: int = 0
    """SQL statements on state and history, with those that begin and end a transaction."""
    store: int = 0
    """Calls of the vector store."""
    rows: int = 0
    """Rows that were written or deleted: state, history and the vector store."""
    upstream: int = 0
    """Requests to the model server, those of learning too."""
    tasks: int = 0
    """Tasks of asyncio; of what is done later, one is the test's own."""
    hops: int = 0
    """Times that one thread hands something to another one; see `calls.Tally`."""
    copied: int = 0
    """Bytes and characters copied into another form, see `calls.Tally`: the same but for a few
    digits of times and weights."""
    functions: int = 0
    """Calls of functions, see `calls`: the same to a few per thousand on one minor version of
    Python, and another number on another one."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    def __sub__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, n) - getattr(other, n) for n in self.names()))


_NUMBER = re.compile(r"\b[0-9]{3,4}\b")
"""Samples are numbered with three digits, or four."""


class CountingEmbedder(FakeEmbedder):
    """Hashed words with the name of the product's own model, for the thresholds of that one.

    The number of a sample is no word: it would make one question likelier than the next one, by
    chance, and what is near a threshold would cost more now and then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.id = "all-MiniLM-L6-v2"
        self.calls = 0
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        self.texts += len(texts)
        with unheard():
            return await super().embed([_NUMBER.sub("", text) for text in texts])


class CountingStore(InMemoryMemories):
    """Counts its calls; how it answers them is not counted, as it would be a server's work."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.calls = 0
        self.rows = 0

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        self.rows += len(memories)
        await super().put(memories)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self.rows += len(ids)
        await super().delete(tenant, ids)


def _counted(name: str) -> None:
    inner = getattr(CountingStore, name)

    @wraps(inner)
    async def call(self: CountingStore, *args: Any, **named: Any) -> Any:
        self.calls += 1
        with unheard():
            return await inner(self, *args, **named)

    setattr(CountingStore, name, call)


for _name in (
    *("put", "search", "search_keywords", "get", "list", "load", "count"),
    *("scan", "owners", "delete", "reset"),
):
    _counted(_name)


class Sql:
    """The statements of every connection that was made with it."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        """As SQLite saw them, values and all."""
        self._connections: list[sqlite3.Connection] = []

    def hear(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        # A function in C: it is no call of the product's.
        connection.set_trace_callback(self.statements.append)
        self._connections.append(connection)
        return connection

    @property
    def rows(self) -> int:
        return sum(connection.total_changes for connection in self._connections)
