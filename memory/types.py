"""The values the engine speaks in. No IO, no defaults that hide a decision.

Times are timezone-aware UTC datetimes; scores are cosine similarities in [-1, 1]; vectors are
L2-normalised ``float32``.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from .errors import InvalidInputError, ScopeError

Vector = npt.NDArray[np.float32]
"""One L2-normalised embedding, ``float32[dim]``."""
Vectors = npt.NDArray[np.float32]
"""A batch of them, ``float32[n, dim]``."""

SCOPE_REQUIRED = "At least one of user_id, agent_id, or run_id must be provided"
MAX_SCOPE_CHARS = 256
"""Longest scope id. The same bound as the store's columns, so that no id is ever cut."""


class MemoryType(StrEnum):
    """What kind of thing a memory is; metadata, never a partition."""

    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    EPISODIC = "episodic"
    REFLECTIVE = "reflective"


class MemoryStatus(StrEnum):
    """Only ``active`` memories are recalled or listed unless others are asked for."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"


class EventKind(StrEnum):
    """What a decision does to the store."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memories. A query with this scope sees records that match *every* field it sets.

    Raises:
        ScopeError: user, agent and run are all missing.
        InvalidInputError: an id is empty, too long, or holds a control character.
    """

    tenant: str
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    def __post_init__(self) -> None:
        if self.user_id is None and self.agent_id is None and self.run_id is None:
            raise ScopeError(SCOPE_REQUIRED)
        for name, value in (("tenant", self.tenant), *self.ids().items()):
            _check_scope_id(name, value)

    def ids(self) -> dict[str, str]:
        """The ids that are set, by their API names."""
        named = {"user_id": self.user_id, "agent_id": self.agent_id, "run_id": self.run_id}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def partition(self) -> str:
        """The value the store partitions by: tenant and user, unambiguous for any characters."""
        return f"{quote(self.tenant, safe='')}/{self.user_id or ''}"

    def admits(self, other: Scope) -> bool:
        """Whether a query with this scope may see a record stored under `other`."""
        return self.tenant == other.tenant and self.ids().items() <= other.ids().items()


def _check_scope_id(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInputError(name, f"expected a string, got {type(value).__name__}")
    if not value.strip():
        raise InvalidInputError(name, "must not be empty")
    if len(value) > MAX_SCOPE_CHARS:
        raise InvalidInputError(name, f"must have at most {MAX_SCOPE_CHARS} characters")
    if any(unicodedata.category(c) in {"Cc", "Cs"} for c in value):
        raise InvalidInputError(name, "must not contain control characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a memory came from: the evidence behind it."""

    source: str = "direct"
    """``direct`` (stored as given) or ``extraction`` (a model read it out of turns)."""
    conversation_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    quote: str | None = None
    model: str | None = None
    sequence: int = 0
    """Order among memories of one moment: what was said first has the smaller number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """One stored memory."""

    id: str
    text: str
    type: MemoryType
    scope: Scope
    created_at: datetime
    updated_at: datetime
    embedder_id: str
    status: MemoryStatus = MemoryStatus.ACTIVE
    importance: float = 0.5
    provenance: Provenance = field(default_factory=Provenance)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """md5 hex digest of the text: finds exact duplicates, is no security measure."""
        return text_hash(self.text)


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory with the vector it is found by (``float32[dim]``)."""

    item: MemoryItem
    vector: Vector


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A search hit; `score` is the cosine similarity to the query."""

    item: MemoryItem
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One chat message reduced to what can be remembered: its role and its text."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user message and the final assistant answer to it.

    `id` is derived from what the client resends (scope, conversation and the chain of user
    messages), so a retry or a regenerated answer is the same turn.
    """

    id: str
    conversation_id: str
    scope: Scope
    user_text: str
    assistant_text: str
    model: str
    created_at: datetime
    seq: int = 0
    """Position in the conversation, 1-based; given by the store when it records the turn."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where a turn was kept: its position, and how many of its conversation await learning."""

    seq: int
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A fact an extractor proposes, before reconciliation."""

    text: str
    type: MemoryType = MemoryType.SEMANTIC
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do about one candidate, and which stage with which score said so."""

    event: EventKind
    memory_id: str
    text: str
    type: MemoryType
    old_text: str | None = None
    stage: str = ""
    score: float | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """A decision carried out, as `add` reports it."""

    event: EventKind
    id: str
    new_memory: str | None = None
    old_memory: str | None = None
    type: MemoryType = MemoryType.SEMANTIC
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """One row of a memory's audit trail."""

    id: str
    memory_id: str
    event: EventKind
    old_value: str | None
    new_value: str | None
    timestamp: datetime
    is_deleted: bool
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Learn the turns of one conversation up to and including `upto_seq`."""

    id: str
    scope: Scope
    conversation_id: str
    upto_seq: int
    reason: str
    attempts: int = 0
    """How often it was claimed; counted at the claim, so that a crash counts too."""
    lease: str | None = None
    """Proof of ownership; a call with an outdated lease changes nothing."""
    checkpoint: str | None = None
    """The decisions once they are made: a job that died while applying goes on from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A call to a language model. `schema` asks for JSON of that shape where the server can."""

    messages: Sequence[Message]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2000
    temperature: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A model's answer: the text (never its reasoning), and who gave it."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


def text_hash(text: str) -> str:
    """md5 hex digest of a memory's text (exact duplicates only); not a security measure."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def utc_now() -> datetime:
    """Now, timezone-aware, cut to the milliseconds every backend can keep."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
