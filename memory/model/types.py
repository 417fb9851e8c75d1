"""The value types of the engine. No IO, no defaults that hide a decision.

Times are timezone-aware UTC datetimes; scores are cosine similarities in [-1, 1]; vectors are
L2-normalised ``float32``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from .claims import NO_CLAIMS, GraphClaims
from .jobs import Job as Job  # noqa: PLC0414 - as Scope
from .jobs import JobReport as JobReport  # noqa: PLC0414
from .jobs import JobState as JobState  # noqa: PLC0414
from .jobs import Spent as Spent  # noqa: PLC0414
from .scope import OwnerRef as OwnerRef  # noqa: PLC0414 - as Scope
from .scope import Scope as Scope  # noqa: PLC0414 - one of the value types that all import
from .turns import Message as Message  # noqa: PLC0414 - as Scope
from .turns import PrecedingQuestion as PrecedingQuestion  # noqa: PLC0414
from .turns import Recent as Recent  # noqa: PLC0414
from .turns import Recorded as Recorded  # noqa: PLC0414
from .turns import ToolCall as ToolCall  # noqa: PLC0414
from .turns import ToolStep as ToolStep  # noqa: PLC0414
from .turns import Turn as Turn  # noqa: PLC0414

Vector = npt.NDArray[np.float32]
"""One L2-normalised embedding, ``float32[dim]``."""
Vectors = npt.NDArray[np.float32]
"""A batch of them, ``float32[n, dim]``."""


class MemoryType(StrEnum):
    """The kind of a memory; metadata, never a partition."""

    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    EPISODIC = "episodic"
    REFLECTIVE = "reflective"


class MemoryStatus(StrEnum):
    """Only ``active`` memories are recalled or listed unless others are asked for."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    """Kept for inspection; recalled only after it was validated."""
    SUPERSEDED = "superseded"
    """True until `valid_to`: an earlier version, or something that has ended."""
    ARCHIVED = "archived"
    """Displaced by other memories; kept, and can be restored."""


ACTIVE = frozenset({MemoryStatus.ACTIVE})
"""The default where a call names no status."""


class EventKind(StrEnum):
    """What a decision does to the store."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NONE = "NONE"
    QUARANTINE = "QUARANTINE"
    """Stored, but not trusted yet."""
    VALIDATE = "VALIDATE"
    """An operator or user checked it: trusted from now on."""
    ARCHIVE = "ARCHIVE"
    RESTORE = "RESTORE"
    """Somebody asked for an archived memory back."""


class Source(StrEnum):
    """The origin of a memory."""

    USER = "user"
    """Said by the user, stored verbatim."""
    ASSISTANT = "assistant"
    """Only the assistant said it: no evidence that it is true."""
    TOOL = "tool"
    """Only a tool said it."""
    EXTRACTION = "extraction"
    """A model extracted it from what the user said."""
    SAID = "said"
    """Said by the user in a captured turn, from which no memory was extracted yet."""
    IMPORTED = "imported"
    REFLECTION = "reflection"
    """Concluded from other memories."""
    SHARED = "shared"
    """Written by another user, whom the memory was attached to (`Provenance.author`)."""

    @property
    def is_hearsay(self) -> bool:
        """Whether nothing of it stands in the user's own words."""
        return self not in (Source.USER, Source.EXTRACTION, Source.SAID)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why a memory is quarantined, as it is kept with the memory."""

    kind: str
    """A kind of suspicion, or ``unconfirmed``."""
    whose: str = ""
    """Whose words show it: ``user``, ``pasted``, ``tool``, ``hidden``, ``assistant`` or
    ``reflection``; empty or ``candidate`` if that is not known."""
    detail: str = ""
    """The sign in a few words, with the value that was doubted; no other text of the conversation.
    """
    sentence: str = ""
    """The sentence that shows it, shortened."""
    at: str = ""
    """When a person said it, in ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The evidence behind a memory."""

    source: Source = Source.USER
    conversation_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    """The turns that say it; if unknown, all turns it was learned with."""
    quote: str | None = None
    """The words it follows from, verbatim from one of these turns."""
    model: str | None = None
    """The model that extracted it, by the name in its answer."""
    told_to: tuple[str, ...] = ()
    """The servers and models that it was told to, as ``http://host/v1 model``; `TOLD_UNKNOWN` for
    turns of which that is not known."""
    sequence: int = 0
    """Order among memories of one moment: what was said first has the smaller number."""
    batch: str | None = None
    """The job or call that wrote it."""
    recorded_at: datetime | None = None
    """When this version was recorded ("when we knew"), whatever time it is about."""
    superseded_by: str | None = None
    """For an earlier version: the memory it is a version of."""
    flags: tuple[str, ...] = ()
    """Why it is quarantined: kinds of suspicion, never its text."""
    reasons: tuple[Doubt, ...] = ()
    """The same with the sentences."""
    taken_from: str | None = None
    """For a withheld sentence: the memory with the rest of its text."""
    withheld: tuple[str, ...] = ()
    """For such a rest: the memories with the sentences that were taken out of it."""
    given: str | None = None
    """For a memory stored as given: the key of the whole text, if this one is a part of it."""
    archived_from: MemoryStatus | None = None
    """For an archived memory: the status it had."""
    archived_at: datetime | None = None
    """For an archived memory: since when."""
    archived_for: str | None = None
    """For an archived memory that another one stands for: the id of that one (`cites`)."""
    restored_at: datetime | None = None
    """When somebody last took it out of the archive; it is then the last to return there."""
    validated_at: datetime | None = None
    """When a person validated it."""
    matter: str | None = None
    """The group of memories that may be about one matter. None: its own id, or nobody compared."""
    pending: tuple[str, ...] = ()
    """Memories of the same matter that no model and no person judged yet."""
    ended: str | None = None
    """For a superseded memory: the stage that decided so, and its reason."""
    cites: tuple[str, ...] = ()
    """For a memory that was concluded from others, or condensed: their ids. It falls with them."""
    ended_at: datetime | None = None
    """For one that a person ended: when that was told. Its other times stay (`model.ending`)."""
    ended_from: MemoryStatus | None = None
    """For a superseded memory: the status it had; None: it was active."""
    stretch: str | None = None
    """For an episode: the first turn of the stretch of conversation that it tells."""
    author: str | None = None
    """For a text that another user wrote (`Source.SHARED`): who, as "user_id=bob"."""
    shared: bool = False
    """Whether the memory is seen from a scope that it is attached to. Never stored."""
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    claims: GraphClaims = NO_CLAIMS
    """The entities and relations that the model found in it."""
    context: str | None = None
    """What a model wrote to situate the text: it is found by this too, and never shown with it."""
    put_off: tuple[str, ...] = ()
    """The questions for which somebody did not want it (`model.put_off`)."""

    @property
    def replaces(self) -> tuple[str, ...]:
        """The turns whose words need not be shown beside the memory: an episode's still do."""
        return self.turn_ids if self.stretch is None else ()


def with_context(text: str, context: str | None) -> str:
    """A text behind what situates it, if anything does."""
    return f"{context}\n{text}" if context else text


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
    version: int = 1
    """Counts the changes of text, status and metadata. An earlier version keeps the number that it
    had."""

    @property
    def hash(self) -> str:
        """md5 hex digest of the text: finds exact duplicates, is no security measure."""
        return text_hash(self.text)

    @property
    def sought(self) -> str:
        """What it is found by: what is embedded, and whose words are indexed."""
        return with_context(self.text, self.provenance.context)


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory, the vector it is found by (``float32[dim]``), and JSON (`recall.index.facts`)."""

    item: MemoryItem
    vector: Vector
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A search hit; `score` is the cosine similarity to the query."""

    item: MemoryItem
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The evidence and the statement of a fact; shared by a candidate and its decision."""

    quote: str | None = None
    """The words it follows from, verbatim from a turn."""
    turn_ids: tuple[str, ...] = ()
    """The turns that contain these words."""
    source: Source = Source.EXTRACTION
    """`EXTRACTION` if the user said it, else its source."""
    importance: float = 0.5
    """From 0 to 1."""
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    claims: GraphClaims = NO_CLAIMS
    """The entities and relations that the model found in it, as far as its words support them."""
    context: str | None = None
    """As `Provenance`."""
    success: str | None = None
    """Of a procedure: how one knows that its task is done."""

    def grounds(self) -> dict[str, Any]:
        """These fields by name."""
        return {each.name: getattr(self, each.name) for each in fields(Grounds)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Grounds):
    """A fact proposed by an extractor, before reconciliation."""

    text: str
    type: MemoryType = MemoryType.SEMANTIC

    @property
    def sought(self) -> str:
        """As `MemoryItem`."""
        return with_context(self.text, self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Grounds):
    """What to do about one candidate, with the stage and the scores that decided.

    UPDATE and DELETE name the memory they are about and never destroy its text.
    """

    event: EventKind
    memory_id: str
    text: str
    type: MemoryType
    old_text: str | None = None
    stage: str = ""
    score: float | None = None
    """The cosine similarity to the memory that decided, if there is one."""
    reason: str = ""
    """Why, in a few words; never any text of the conversation."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """The signals that were considered, by name."""
    matter: str | None = None
    """The group of the memory it is about, or is added beside; see `Provenance`."""
    pending: tuple[str, ...] = ()
    """For an ADD: the memories of the same matter that nobody judged yet."""
    flags: tuple[str, ...] = ()
    """For a QUARANTINE: the kinds of suspicion."""
    reasons: tuple[Doubt, ...] = ()
    """For a QUARANTINE, as `taken_from`; see `Provenance`."""
    taken_from: str | None = None
    withheld: tuple[str, ...] = ()
    given: str | None = None
    model: str | None = None
    """The model that extracted it, as `Provenance`."""
    cites: tuple[str, ...] = ()
    """As `Provenance`. Of an ARCHIVE: the memory that takes its place. It falls with them."""
    at: datetime | None = None
    """When what it says was said; None: by its turns, or when it is applied."""
    stays: str | None = None
    """For a DELETE of what another memory says too: that memory, which stays."""
    stretch: str | None = None
    """As `Provenance`."""
    told_to: tuple[str, ...] = ()
    """As `Provenance`, of turns that are not its batch's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """An applied decision, as `add` reports it."""

    event: EventKind
    id: str
    new_memory: str | None = None
    old_memory: str | None = None
    type: MemoryType = MemoryType.SEMANTIC
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[Doubt, ...] = ()
    taken_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """One row of a memory's audit trail."""

    id: str
    memory_id: str
    event: EventKind
    old_value: str | None
    new_value: str | None
    timestamp: datetime
    """When it was recorded ("when we knew")."""
    is_deleted: bool
    scope: Scope
    valid_at: datetime | None = None
    """From when on it is true ("what was true when")."""
    stage: str = ""
    reason: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[Doubt, ...] = ()
    """For a QUARANTINE, as `taken_from`; see `Provenance`."""
    taken_from: str | None = None
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A call to a language model. `schema` asks for JSON of that shape if the server can."""

    messages: Sequence[Message]
    holds: Sequence[MemoryItem | Turn] | None = None
    """The memories and turns whose words are in it; None: nobody said. With a policy (`trust`) that
    is refused, and so is what the model's server may not have."""
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2000
    temperature: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A model's answer, without its reasoning, and the model's name."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


def text_hash(text: str) -> str:
    """md5 hex digest of a memory's text: finds exact duplicates, is no security measure."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def utc_now() -> datetime:
    """Now, timezone-aware, cut to milliseconds, which every backend can keep."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
