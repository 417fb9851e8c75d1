"""The ports of the engine: what each backend must guarantee.

All methods are asynchronous unless noted and raise only errors of `recollect.memory.model.errors`.
Every implementation of a port passes the same contract suite (`tests/memory/**/contract.py`).
Optional abilities (`KeywordSearch`) are small protocols, never methods that return ``None``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from .conversations import ConversationReads
from .filters import EVERYTHING, Filter
from .types import ACTIVE as ACTIVE  # noqa: PLC0414 - the default of many reads
from .types import (
    ChatReply,
    ChatRequest,
    HistoryRecord,
    Job,
    JobReport,
    JobState,
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Recent,
    Recorded,
    Scope,
    ScoredMemory,
    StoredMemory,
    Turn,
    Vector,
    Vectors,
)
from .usage import Usage, UseKind
from .wide import TurnCounts, WideReads


class VectorStore(WideReads, Protocol):
    """Keeps memories and finds the nearest. `scope` is a hard predicate, never a distance.

    A read sees every write that returned before the read began.
    """

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert, or replace by id. Durable when it returns."""

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> list[ScoredMemory]:
        """The `limit` nearest memories the scope admits and that pass the filter, best first."""

    async def get(self, tenant: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The memories with these ids in this tenant, in any order."""

    async def resting_on(
        self, tenant: str, ids: Collection[str], turn_ids: Collection[str] = ()
    ) -> builtins.list[MemoryItem]:
        """The memories of every status that name one of these.

        Those that cite a memory, were replaced by it or stand aside for it, or tell of a turn. By
        chance also others: compare again.
        """

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> list[MemoryItem]:
        """Memories the scope admits and that pass the filter, newest first; of equal times by id.

        All of them if `limit` is None.
        """

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[StoredMemory]:
        """Up to `limit` memories the scope admits and that pass the filter, with their vectors.

        The vectors are ``float32[dim]``.

        In the order of their ids, so that a limit selects the same ones each time. For building an
        index: the vectors of one call may share one block of memory and may be read-only, so copy
        those that are kept for long.
        """

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> int:
        """How many memories the scope admits and pass the filter."""

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove these ids from this tenant; unknown ids are no error."""

    async def reset(self, tenant: str) -> None:
        """Remove every memory of this tenant."""

    async def ping(self) -> None:
        """Return if the backend answers, else raise StoreError."""

    async def close(self) -> None:
        """Release everything; later calls are errors."""


Analyzer = Callable[[str], Sequence[str]]
"""A text's index terms (words without stop words, stemmed), as keyword search compares them."""


@runtime_checkable
class KeywordSearch(Protocol):
    """An optional ability of a `VectorStore`: finding memories by their words."""

    @property
    def keywords(self) -> bool:
        """Whether both the backend and the opened collection support it."""

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> list[ScoredMemory]:
        """Up to `limit` memories that pass and have any of these index terms, best first.

        The scope admits them, and they pass the filter.

        `score` is BM25, greater than 0 and larger for better; its range depends on the backend and
        on its content. Writes of the last second may be missing.

        Raises:
            StoreError: `keywords` is false, or the backend failed.
        """


class Embedder(Protocol):
    """Text to vectors. `id` names the model of the vectors, `dim` their length."""

    @property
    def id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """``float32[len(texts), dim]``, L2-normalised, finite. Raises EmbeddingError."""

    async def close(self) -> None:
        """Release everything."""


@runtime_checkable
class AsksApart(Protocol):
    """An optional ability of an `Embedder`: a query has another vector than a stored text."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, for texts that are compared with stored ones. Raises EmbeddingError."""


class ChatModel(Protocol):
    """One call to a language model."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError if the model cannot be reached, refuses, or returns nothing."""

    async def close(self) -> None:
        """Release everything."""


class ModelSource(Protocol):
    """Finds the model for a background job."""

    async def __call__(self, tenant: str, model: str) -> ChatModel | None:
        """A model for this tenant's conversations with `model`; None if there is none now."""


class ConversationStore(ConversationReads, Protocol):
    """The captured turns, and how far each conversation was learned."""

    async def record(self, turn: Turn) -> Recorded:
        """Keep the turn durably.

        A turn with a known id is the same turn sent again: its answer, steps and recalled memories
        are replaced, and nothing is counted twice. A learned turn stays learned, an erased one
        stays erased and learned.
        """

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        """Turns after the watermark and up to `upto_seq`, in order."""

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        """Turns after one position and up to another, in order; none erased.

        With `learned_only` without those that await learning or were given up.
        """

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        """The turn that `name` continues from, after at most `limit` - 1 turns before it, in order.

        `name` is a `response_id` or an `upstream_id`; of several turns the last one is meant. Only
        turns of exactly this scope; empty if the turn is unknown or was erased.
        """

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        """Move the watermark; it never moves back.

        With `after_seq` the given up turns after it are learned too.
        """

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        """Count the turns after one position and up to another as learned, but keep their texts.

        `prune` leaves them until `mark_learned` learns them after all.
        """

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        """The newest turns that the scope admits, newest first.

        Without those that were erased, and those whose facts are memories (`mark_remembered`).
        """

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        """The turns of a tenant with these ids, in any order; others than `recent` finds never."""

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        """The ids of the turns that `recent` finds, and maybe of others, newest first.

        For reading many turns some at a time, by `named`.
        """

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        """Every scope of an owner, and maybe others of it, that `recent` finds a turn of.

        None: of all tenants.
        """

    async def counts(self, owner_ref: OwnerRef) -> TurnCounts:
        """How many turns of an owner there are. Reads no texts."""

    async def annotate(self, notes: Mapping[str, Mapping[str, str]]) -> None:
        """Keep what was found in turns, by conversation and turn id, until they are erased.

        The text is the caller's business. Unknown ids are no error.
        """

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        """Note that memories took the place of these turns of a scope: `recent` omits them."""

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        """The last turn of each conversation that has unlearned turns.

        Only conversations without a turn after `idle_since`, and with records that `scope` admits.
        """

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Erase the texts of all turns of a tenant, or of all that a scope admits.

        The turns stay known and learned: a client that sends one again does not bring it back.
        Returns how many held text.
        """

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """The same for single turns of a tenant; unknown ids are no error.

        Later turns whose `before` names one of them lose that, and what was found in them.
        """

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase the texts of learned turns created before then; how many held text.

        The texts of turns that were given up stay.
        """

    async def close(self) -> None:
        """Release everything."""


class JobQueue(Protocol):
    """Durable work with leases. One live lease per partition: a user's jobs run in order."""

    async def put(self, job: Job) -> bool:
        """Enqueue durably; False if a job with this id was enqueued before and not erased."""

    async def claim(self, *, now: datetime, lease_seconds: float) -> Job | None:
        """Lease the oldest job that may run now to the caller and count its attempt."""

    async def extend(self, job: Job, *, until: datetime) -> bool:
        """Extend the lease; False if it was lost."""

    async def save_checkpoint(self, job: Job, checkpoint: str | None) -> bool:
        """Store the decisions with the job; False if the lease was lost."""

    async def ack(self, job: Job) -> bool:
        """Mark the job as done, which is final. False if the lease was lost."""

    async def retry(self, job: Job, *, at: datetime, error: str, count: bool = True) -> bool:
        """Return it for later; ``count=False`` uncounts the attempt, which never really ran."""

    async def hasten(self, job_id: str) -> bool:
        """Let a job that waits for its retry run now; False if no ready job has this id."""

    async def dead_letter(
        self, job: Job, *, error: str, raw: str | None = None, after_seq: int | None = None
    ) -> bool:
        """Give up on it but keep it with the model's answer; False if the lease was lost.

        Its successors may run. With `after_seq` it learns, once revived, the turns after that
        position again, although they count as learned by then.
        """

    async def drop_answers(self, owner_ref: OwnerRef) -> int:
        """Drop the models' answers that this owner's dead jobs were kept with; how many."""

    async def counts(self, owner_ref: OwnerRef | None = None) -> dict[str, int]:
        """Jobs by state: ``ready``, ``leased``, ``done``, ``dead``; of an owner, or of all."""

    async def depth(self) -> int:
        """Number of jobs that are ready or leased; cheap, for a limit."""

    async def oldest(self, owner_ref: OwnerRef | None = None) -> datetime | None:
        """When the oldest job that is ready or leased was enqueued; without upkeep, which waits."""

    async def reports(
        self, *, tenant: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[JobReport]:
        """Jobs, newest first; without leases and checkpoints."""

    async def revive(self, job_id: str, *, owner_ref: OwnerRef | None = None) -> bool:
        """Make a dead job ready again with no attempts; False if there is no such dead job.

        With `owner_ref` only a job of that tenant, or of what that scope admits.
        """

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Remove the jobs of a tenant, or of all that a scope admits; returns how many.

        A leased job stays until its lease ends, `cancelled`, without its checkpoint; its holder has
        lost it. The next worker to claim it cleans up; `ack` removes it. It may be put again.
        """

    async def close(self) -> None:
        """Release everything."""


MAX_NONE = 20
"""NONE records of one memory that its history keeps."""


class HistoryLog(Protocol):
    """The audit trail of memories."""

    async def append(self, records: Sequence[HistoryRecord]) -> None:
        """Add durably; a record with a known id is not added again.

        Of each memory's NONE records only the newest `MAX_NONE` are kept, since any number of
        messages may repeat a known fact.
        """

    async def of(self, tenant: str, memory_id: str) -> list[HistoryRecord]:
        """A memory's records, oldest first."""

    async def of_many(
        self, tenant: str, memory_ids: Sequence[str]
    ) -> dict[str, list[HistoryRecord]]:
        """The records of these memories by id, oldest first; memories without any are left out."""

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        """Remove every record of these memories; returns how many."""

    async def erase_scope(self, scope: Scope) -> int:
        """Remove every record the scope admits; returns how many."""

    async def reset(self, tenant: str) -> None:
        """Remove every record of this tenant."""

    async def close(self) -> None:
        """Release everything."""


class Tombstones(Protocol):
    """What was forgotten, so that work in progress does not bring it back. Ids only."""

    async def add(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Forbid writing these memories again; durable when it returns."""

    async def among(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        """The ids among these that must not be written."""

    async def remove(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Forget that these were forgotten: nobody knows the ids who could write them."""

    async def close_scope(self, owner_ref: OwnerRef) -> None:
        """Count that everything of a scope or a tenant is being forgotten."""

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        """Changes whenever `close_scope` names anything that admits this scope."""


class UsageCounters(Protocol):
    """How often each memory was used, by its id. Nothing else keeps it.

    Memories that a tombstone covers are never counted.
    """

    async def count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], *, occasion: str, at: datetime
    ) -> None:
        """Count one use of each of these memories durably, once for each occasion.

        An occasion is a turn, a batch of learning or a call: repeating one changes nothing.
        """

    async def settle(self, *, limit: int = 100) -> int:
        """Count the recalls of recorded turns that are not counted yet, of at most so many.

        `ConversationStore.record` notes them with the turn, each time that it is recorded, so
        whatever dies before this, the next call completes it. The occasion is the turn. Returns how
        many notes were completed; 0 if none are left.
        """

    async def of(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Usage]:
        """The counters of these memories; those that were never used are left out."""

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        """Remove the counters of these memories; returns of how many there were any."""

    async def reset(self, tenant: str) -> None:
        """Remove all counters of this tenant."""

    async def prune(self, *, before: datetime) -> None:
        """Forget occasions before then, but those of turns that may be recorded again."""


class TokenCounter(Protocol):
    """Counts tokens of short texts fast enough for the request path."""

    def count(self, text: str) -> int: ...
