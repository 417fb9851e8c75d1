"""The seams of the engine: what a backend must promise, on one screen.

All methods are asynchronous and raise only errors of `memory.errors`. Every implementation of a
port runs the same contract suite (`tests/memory/**/contract.py`). Optional powers (keyword search,
native partitions) will be separate small protocols, never methods that return ``None``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

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
