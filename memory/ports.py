"""The seams of the engine: what a backend must promise, on one screen.

All methods are asynchronous and raise only errors of `memory.errors`. Every implementation of a
port runs the same contract suite (`tests/memory/**/contract.py`). Optional powers (`KeywordSearch`)
are separate small protocols, never methods that return ``None``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from .types import (
    ChatReply,
    ChatRequest,
    HistoryRecord,
    Job,
    MemoryItem,
    MemoryStatus,
    Recorded,
    Scope,
    ScoredMemory,
    StoredMemory,
    Turn,
    Vector,
    Vectors,
)

ACTIVE: Collection[MemoryStatus] = frozenset({MemoryStatus.ACTIVE})


class VectorStore(Protocol):
    """Keeps memories and finds the nearest. `scope` is a hard predicate, never a distance.

    With ``fresh=True`` a read sees every write that returned before it began; without, a write may
    stay invisible for about a second where the backend trades that for speed.
    """

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert, or replace what has the same id. Durable when it returns."""

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> list[ScoredMemory]:
        """The `limit` nearest memories the scope admits, best first."""

    async def get(self, tenant: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The memories with these ids in this tenant, in any order; always fresh."""

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> list[MemoryItem]:
        """Memories the scope admits, newest first; all of them if `limit` is None. Fresh."""

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[StoredMemory]:
        """Up to `limit` memories the scope admits, with their vectors (``float32[dim]``).

        In the order of their ids, so that a limit keeps the same ones each time. For building an
        index of somebody's memories: the vectors of one call may share one block of memory and
        may be read-only, so copy those that are kept for long.
        """

    async def count(
        self, scope: Scope, *, statuses: Collection[MemoryStatus] = ACTIVE, fresh: bool = False
    ) -> int:
        """How many memories the scope admits."""

    async def scan(self, *, after: str | None, limit: int) -> builtins.list[StoredMemory]:
        """Up to `limit` memories of every tenant and status, by id, those after this id. Fresh.

        For upkeep that can be resumed (reindexing, export), never for answering anybody: it is
        the one read that no scope bounds. An empty answer means that there are no more.
        """

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove these ids from this tenant; unknown ids are no error."""

    async def reset(self, tenant: str) -> None:
        """Remove every memory of this tenant."""

    async def maintain(self) -> None:
        """Tidy up after writes (flush, compact); called every few seconds, cheap if idle."""

    async def ping(self) -> None:
        """Return if the backend answers, else raise StoreError."""

    async def close(self) -> None:
        """Release everything; later calls are errors."""


Analyzer = Callable[[str], Sequence[str]]
"""A text's index terms (words without stop words, stemmed), as keyword search compares them."""


@runtime_checkable
class KeywordSearch(Protocol):
    """An optional power of a `VectorStore`: finding memories by the words in them."""

    @property
    def keywords(self) -> bool:
        """Whether what is open now can really do it: the backend, and the collection it opened."""

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> list[ScoredMemory]:
        """Up to `limit` memories the scope admits that have any of these index terms, best first.

        `score` is BM25, greater than 0 and larger for better; how large depends on the backend and
        on what it holds. Writes of the last second may be missing.

        Raises:
            StoreError: `keywords` is false, or the backend failed.
        """


class ReindexTarget(Protocol):
    """The old memories and the place for the new ones, side by side until `finish`.

    Nothing of the old is touched before that, and nobody else finds the new. The place for the new
    ones outlives a `close` without `finish`: opened again for the same embedder it still holds what
    was put, so that an interrupted run can go on. Nobody else may write meanwhile.
    """

    @property
    def source(self) -> VectorStore:
        """What there is now, whoever's vectors it holds. Read it with `scan`; do not write."""

    @property
    def target(self) -> VectorStore:
        """What is to replace it. Put everything; ids that were put before are replaced."""

    async def finish(self) -> None:
        """Put the new in the place of the old and remove the old. No store is usable after it.

        Never is the only complete copy removed, and every step can be repeated: if it is
        interrupted, the next start, or the next `open_for_reindex`, finishes it.

        Raises:
            StoreError: the target holds fewer memories than the source, or a step failed.
        """

    async def close(self) -> None:
        """Release everything; what was put stays for the next run."""


class Embedder(Protocol):
    """Text to vectors. `id` names the model whose vectors these are, `dim` their length."""

    @property
    def id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """``float32[len(texts), dim]``, L2-normalised, finite. Raises EmbeddingError."""

    async def close(self) -> None:
        """Release everything."""


class ChatModel(Protocol):
    """One call to a language model."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError if it cannot be reached, refuses, or answers nothing."""

    async def close(self) -> None:
        """Release everything."""


class ConversationStore(Protocol):
    """The turns that were captured, and how far each conversation was learned."""

    async def record(self, turn: Turn) -> Recorded:
        """Keep the turn durably.

        A turn whose id is known is the same turn told again: its answer is replaced, nothing is
        counted twice, and if it was learned already it stays learned.
        """

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        """Turns after the watermark and up to `upto_seq`, in order."""

    async def mark_learned(self, conversation_id: str, upto_seq: int) -> None:
        """Move the watermark; it never moves back."""

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        """The last turn of each conversation that has unlearned turns.

        Only conversations with no turn after `idle_since`, and of records `scope` admits.
        """

    async def close(self) -> None:
        """Release everything."""


class JobQueue(Protocol):
    """Durable work with leases. One live lease per partition: a user's jobs run in order."""

    async def put(self, job: Job) -> bool:
        """Enqueue durably; False if a job with this id was ever enqueued before."""

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        """The oldest job that may run now, leased to the caller with its attempt counted."""

    async def extend(self, job: Job, *, until: datetime) -> bool:
        """Keep the lease until then; False if it was lost."""

    async def save_checkpoint(self, job: Job, checkpoint: str) -> bool:
        """Keep the decisions with the job; False if the lease was lost."""

    async def ack(self, job: Job) -> bool:
        """Done, terminal. False if the lease was lost."""

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        """Give it back for later; ``count=False`` returns the attempt (it never really ran)."""

    async def bury(self, job: Job, *, error: str) -> bool:
        """Give up on it, terminal, kept for inspection."""

    async def counts(self) -> dict[str, int]:
        """Jobs by state: ``ready``, ``leased``, ``done``, ``dead``."""

    async def close(self) -> None:
        """Release everything."""


class HistoryLog(Protocol):
    """The audit trail of memories."""

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        """Add durably; a record whose id is known is not added again."""

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        """A memory's records, oldest first."""

    async def reset(self, tenant: str) -> None:
        """Forget every record of this tenant."""

    async def close(self) -> None:
        """Release everything."""


class TokenCounter(Protocol):
    """Counts tokens of short texts fast enough for the request path."""

    def count(self, text: str) -> int: ...
