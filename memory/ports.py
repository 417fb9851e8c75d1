"""The seams of the engine: what a backend must promise, on one screen.

All methods are asynchronous and raise only errors of `recollect.memory.errors`. Every
implementation of a port runs the same contract suite (`tests/memory/**/contract.py`). Optional
powers (`KeywordSearch`) are separate small protocols, never methods that return ``None``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime
from typing import Protocol, runtime_checkable

from .types import (
    ChatReply,
    ChatRequest,
    HistoryRecord,
    Job,
    JobReport,
    JobState,
    MemoryItem,
    MemoryStatus,
    Recorded,
    Scope,
    ScoredMemory,
    Spent,
    StoredMemory,
    Turn,
    Vector,
    Vectors,
    Whose,
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
        self, scope: Scope, *, limit: int | None, statuses: Collection[MemoryStatus] = ACTIVE
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


class ModelSource(Protocol):
    """Where a background job gets its model from."""

    async def __call__(self, tenant: str, model: str) -> ChatModel | None:
        """A model for this tenant's conversations with `model`; None: not now, keep the job."""


class ConversationStore(Protocol):
    """The turns that were captured, and how far each conversation was learned."""

    async def record(self, turn: Turn) -> Recorded:
        """Keep the turn durably.

        A turn whose id is known is the same turn told again: its answer, steps and recalled
        memories are replaced, nothing is counted twice, and if it was learned already it stays
        learned. One that was erased stays erased and learned.
        """

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        """Turns after the watermark and up to `upto_seq`, in order."""

    async def turns(self, conversation_id: str, after_seq: int, upto_seq: int) -> list[Turn]:
        """Turns after one position and up to another, learned or not, in order; none erased."""

    async def mark_learned(self, conversation_id: str, upto_seq: int) -> None:
        """Move the watermark; it never moves back."""

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        """The last turn of each conversation that has unlearned turns.

        Only conversations with no turn after `idle_since`, and of records `scope` admits.
        """

    async def erase(self, whose: Whose) -> int:
        """Erase the texts of all turns of a scope, of those it admits too, or of a tenant.

        What stays is that these turns are known and learned: a client that sends one again does
        not bring it back. Answers how many held text.
        """

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """The same for single turns of a tenant; unknown ids are no error."""

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase the texts of learned turns created before then; how many held text."""

    async def close(self) -> None:
        """Release everything."""


class JobQueue(Protocol):
    """Durable work with leases. One live lease per partition: a user's jobs run in order."""

    async def put(self, job: Job) -> bool:
        """Enqueue durably; False if a job with this id was enqueued before and not erased."""

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

    async def bury(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        """Give up on it, kept for inspection with what the model said; False if the lease was lost.

        Its successors may run. With `after_seq` the job keeps it: revived, it learns the turns
        after that position again, though they count as learned by then.
        """

    async def counts(self) -> dict[str, int]:
        """Jobs by state: ``ready``, ``leased``, ``done``, ``dead``."""

    async def depth(self) -> int:
        """Jobs that are ready or leased; cheap, for a bound."""

    async def oldest(self) -> datetime | None:
        """When the oldest job that is ready or leased was enqueued."""

    async def reports(
        self, *, tenant: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[JobReport]:
        """Jobs, newest first; without leases and checkpoints."""

    async def revive(self, job_id: str, *, tenant: str | None = None) -> bool:
        """Make a dead job ready again, its attempts uncounted; False if there is no such dead job.

        With `tenant` only if it is that tenant's.
        """

    async def erase(self, whose: Whose) -> int:
        """Remove the jobs of a scope, of those it admits too, or of a tenant; how many.

        One that is leased stays until its lease ends, `cancelled` and without its checkpoint, and
        every call of its holder fails from now on as if the lease were lost. Whoever claims it next
        cleans up after the holder; `ack` then removes it. A removed job may be put again.
        """

    async def close(self) -> None:
        """Release everything."""


class HistoryLog(Protocol):
    """The audit trail of memories."""

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        """Add durably; a record whose id is known is not added again."""

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        """A memory's records, oldest first."""

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        """Remove every record of these memories; how many there were."""

    async def erase_scope(self, scope: Scope) -> int:
        """Remove every record the scope admits; how many there were."""

    async def reset(self, tenant: str) -> None:
        """Forget every record of this tenant."""

    async def close(self) -> None:
        """Release everything."""


@runtime_checkable
class Watched(Protocol):
    """An optional power of what keeps things: it notices whether it can be written."""

    @property
    def refused(self) -> int:
        """How many writes were refused since the start."""

    async def ping(self) -> None:
        """Return if it answers and takes what is written.

        Raises:
            StateUnwritableError: it can only be read.
            StateError: it does not answer, or is damaged.
        """


class Tombstones(Protocol):
    """What was forgotten, so that nothing that is still under way brings it back. Ids only."""

    async def bury(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """These memories may never be written again; durable when it returns."""

    async def buried(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        """Those of them that may not."""

    async def close_scope(self, whose: Whose) -> None:
        """All of a scope, or of a tenant, is being forgotten: count it."""

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        """Changes whenever `close_scope` names anything that admits this scope."""


class Ledger(Protocol):
    """What learning costs, by tenant and day."""

    async def spend(self, tenant: str, day: date, spent: Spent) -> Spent:
        """Add to a day, atomically; its total afterwards."""

    async def spent(self, tenant: str, day: date) -> Spent:
        """The total of a day; zeros if nothing was spent."""


class TokenCounter(Protocol):
    """Counts tokens of short texts fast enough for the request path."""

    def count(self, text: str) -> int: ...
