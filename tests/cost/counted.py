"""What is counted of a request, and the parts of the product that count it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.memories import SqlMemories
from recollect.memory.model.types import Vectors

from .calls import unheard


@dataclass(frozen=True, slots=True)
class Counts:
    """What one request costs, all but `copied` and `functions` to the last one."""

    embeddings: int = 0
    """Calls of the embedder, below its cache."""
    texts: int = 0
    """Texts in these calls."""
    statements: int = 0
    """SQL statements, with those that begin and end a transaction."""
    store: int = 0
    """Calls of the memories."""
    rows: int = 0
    """Rows that were written or deleted."""
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


class CountingStore(SqlMemories):
    """Counts its calls; the database that it asks counts its statements."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.calls = 0


def _counted(name: str) -> None:
    inner = getattr(CountingStore, name)

    @wraps(inner)
    async def call(self: CountingStore, *args: Any, **named: Any) -> Any:
        self.calls += 1
        return await inner(self, *args, **named)

    setattr(CountingStore, name, call)


for _name in (
    *("put", "search", "search_each", "search_keywords", "get", "list", "load", "count"),
    *("scan", "delete", "reset"),
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
