"""The results of the public methods: plain dictionaries, the same in Python and over REST.

Times are ISO 8601 in UTC. Keys without a value are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NotRequired, cast

from typing_extensions import TypedDict

from ..forget import Proposal
from ..learn import Skipped
from ..model.claims import NO_CLAIMS, claims_dict
from ..model.doubts import ReasonDict, reason_dicts
from ..model.put_off import name_of_put_off
from ..model.row_kinds import kind_shown
from ..model.times import iso
from ..model.types import (
    EventKind,
    HistoryRecord,
    MemoryEvent,
    MemoryItem,
    Provenance,
)
from .showing import shown_as

_SHOWN = (
    "conversation_id",
    "quote",
    "model",
    "author",
    "superseded_by",
    "ended",
    "archived_for",
    "taken_from",
    "matter",
    "subject",
    "predicate",
    "object",
    "context",
)
"""Public fields of a memory's provenance; the name and order of its batch are internal."""
_LINKS = ("flags", "withheld", "pending", "cites", "put_off", "told_to")
_MOMENTS = ("recorded_at", "archived_at", "restored_at", "validated_at", "ended_at")
_WAS = ("archived_from", "ended_from")
_shown_of, _moments_of = attrgetter(*_SHOWN), attrgetter(*_MOMENTS)
_links_of = attrgetter(*_LINKS)

_NOT_OF_ITS_STATE = frozenset({"kind", "score", "similarity", "access_count", "last_accessed_at"})
_ETAG_DIGITS = 12


class MemoryDict(TypedDict):
    """A memory; search results also have `score` and `similarity`."""

    id: str
    kind: str
    """`memory`, or `said`: in the user's own words, of a turn that is no memory yet; of what is to
    be forgotten also `block`: a line of a working block."""
    memory: str
    hash: str
    type: str
    status: str
    version: int
    """Counts the changes of text, status and metadata."""
    metadata: dict[str, Any]
    importance: float
    provenance: dict[str, Any]
    """The source, turns and words of the memory; `reasons` say why it is quarantined, for people,
    and `flags` by kind. `taken_from` and `withheld` connect a text with its withheld sentences.
    `put_off` has the ids of the feedback `not_now`."""
    created_at: str
    updated_at: str
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    access_count: NotRequired[int]
    """Of `get` and `get_all`: in how many turns it was recalled, if in any."""
    last_accessed_at: NotRequired[str]
    """The time of the latest of them."""
    score: NotRequired[float]
    """How probable it is that it bears on the question, from 0 to 1, each by itself."""
    similarity: NotRequired[float]
    """The cosine similarity to the query."""


class FeedbackDict(TypedDict):
    """The result of `feedback`: what everybody has said about the memory so far."""

    id: str
    feedback_id: str
    """What `undo_feedback` takes back."""
    status: str
    """The memory's, afterwards."""
    positive: int
    negative: int
    rating: float
    """What all of it comes to, from -1 to 1, with what the user said again or corrected."""


class EventDict(TypedDict):
    """What `add` did with one fact."""

    event: str
    id: str
    type: str
    new_memory: NotRequired[str]
    old_memory: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]
    reasons: NotRequired[list[ReasonDict]]
    """For a `QUARANTINE`: why."""
    taken_from: NotRequired[str]
    """For a withheld sentence: the memory with the rest of its text."""


class ErrorDict(TypedDict):
    """Why a request of `add_batch` failed."""

    code: str
    message: str


class SkippedDict(TypedDict):
    """A message that `add` did not store as it is."""

    index: int
    """The place of the message in the call, from 0."""
    reason: str
    """`duplicate`, `empty`, `instructions` (a system message), `not_embedded` or `secret` (nothing
    else in it)."""
    id: NotRequired[str]
    """For a duplicate: the memory that has the text."""


class AddResult(TypedDict):
    """The result of `add`."""

    results: list[EventDict]
    skipped: NotRequired[list[SkippedDict]]
    """Without inference: the messages that were not stored, in order. With it: where the turns
    begin of which a fact could not be embedded."""
    rejected: NotRequired[dict[str, int]]
    """Number of rejected facts by reason: without evidence, only repeating a memory, ..."""
    conversation_id: NotRequired[str]
    """Of a run or a session: the conversation in which the messages are recorded."""
    archived: NotRequired[int]
    """How many memories of the user went to the archive for these, beyond
    `retention.max_memories`: `restore` brings each back. Nothing is erased. Where a proxy runs, its
    upkeep does it."""


class MemoryResults(TypedDict):
    """The result of `search`, `get_all` and `export`."""

    results: list[MemoryDict]
    next: NotRequired[str]
    """Of `get_all` and `search`: the cursor of the next page, if there is one."""
    wordings: NotRequired[dict[str, list[str]]]
    """Of a search whose wordings a model made: `multi_query` and `hyde`, for the next page."""
    notes: NotRequired[list[str]]
    """Of a search: what it was done without, because the model failed."""


class ConflictDict(TypedDict):
    """A memory, and the older ones of the same matter that nobody judged yet."""

    memory: MemoryDict
    others: list[MemoryDict]


class ConflictResults(TypedDict):
    """The conflicts of a scope, newest first."""

    results: list[ConflictDict]


class BatchItem(TypedDict):
    """What became of one request of `add_batch`: a result or an error."""

    index: int
    result: NotRequired[AddResult]
    error: NotRequired[ErrorDict]


class BatchResult(TypedDict):
    """The result of `add_batch`, in the order of the requests."""

    results: list[BatchItem]
    succeeded: int
    failed: int


class AnswerDict(TypedDict):
    """The result of `answer`."""

    answer: str | None
    """None if the memories do not support an answer."""
    citations: list[MemoryDict]
    """The memories that it follows from."""
    abstained: bool
    """Whether there is no answer: then say so, rather than guess."""
    reason: NotRequired[str]
    """Why they do not: `no_memories`, `not_supported` or `unsupported_number`."""


class CountDict(TypedDict):
    """The result of `count`."""

    count: int


class DeletedByQuery(TypedDict):
    """The result of `delete_by_query`: the memories that were removed, or would be."""

    results: list[MemoryDict]
    deleted: int
    dry_run: bool
    receipt: NotRequired[dict[str, Any]]
    """For an erasure: what was erased where, in counts."""


class DeleteResult(TypedDict):
    """The result of `delete_all`."""

    deleted: int


DELETED = "Memory deleted successfully!"


class RemovedDict(DeleteResult):
    """How many memories were removed, and a message."""

    message: str


class ForgetProposal(TypedDict):
    """What `confirm_forget` would erase; without a token there is nothing to erase."""

    results: list[MemoryDict]
    near: NotRequired[list[MemoryDict]]
    """What is only like the query, and stays: name it more exactly, or forget it by its id."""
    confirm: NotRequired[str]
    expires_at: NotRequired[str]


class HistoryDict(TypedDict):
    """One row of a memory's history."""

    id: str
    memory_id: str
    event: str
    old_value: str | None
    new_value: str | None
    timestamp: str
    """When it was recorded."""
    is_deleted: bool
    valid_at: NotRequired[str]
    """From when on it is true."""
    stage: NotRequired[str]
    """The stage that decided it."""
    reason: NotRequired[str]
    scores: NotRequired[dict[str, float]]
    reasons: NotRequired[list[ReasonDict]]
    """For a `QUARANTINE`: why."""
    taken_from: NotRequired[str]
    """For a withheld sentence: the memory with the rest of its text."""
    withheld: NotRequired[list[str]]
    """For such a rest: the memories with the sentences that were taken out."""


def memory_dict(
    item: MemoryItem, score: float | None = None, similarity: float | None = None
) -> MemoryDict:
    """A memory as the API returns it."""
    shown = MemoryDict(
        id=item.id,
        kind=kind_shown(item),
        memory=item.text,
        hash=item.hash,
        type=item.type.value,
        status=item.status.value,
        version=item.version,
        metadata=dict(item.metadata),
        importance=item.importance,
        provenance=provenance_dict(item.provenance),
        created_at=iso(item.created_at),
        updated_at=iso(item.updated_at),
    )
    if item.valid_from is not None:
        shown["valid_from"] = iso(item.valid_from)
    if item.valid_to is not None:
        shown["valid_to"] = iso(item.valid_to)
    if item.provenance.matter == item.id:
        # It is alone in its group.
        del shown["provenance"]["matter"]
    shown.update(cast("MemoryDict", item.scope.ids()))
    if score is not None:
        shown["score"] = score
    if similarity is not None:
        shown["similarity"] = similarity
    return shown


def etag_of(shown: MemoryDict) -> str:
    """Identifies this state of a memory: its version and a digest of what is shown of it.

    The digest tells states of one version apart that releases without versions have written.
    """
    state = {name: value for name, value in shown.items() if name not in _NOT_OF_ITS_STATE}
    told = json.dumps(state, sort_keys=True).encode("utf-8", "surrogatepass")
    return f"{shown['version']}-{hashlib.sha256(told).hexdigest()[:_ETAG_DIGITS]}"


def is_version(shown: MemoryDict, expected: int | str) -> bool:
    """Whether a memory is at this version, given as its number or its ETag."""
    return str(expected) in {str(shown["version"]), etag_of(shown)}


def provenance_dict(provenance: Provenance) -> dict[str, Any]:
    """Where a memory came from; only the fields that are set."""
    shown: dict[str, Any] = {"source": provenance.source.value}
    if provenance.turn_ids:
        shown["turn_ids"] = list(provenance.turn_ids)
    # As of few: every listed memory comes here.
    if any(_links_of(provenance)) or provenance.claims is not NO_CLAIMS:
        shown |= _links(provenance)
    if doubts := provenance.reasons:
        shown["reasons"] = reason_dicts(doubts)
    if provenance.shared:
        shown["shared"] = True
    if provenance.archived_from is not None or provenance.ended_from is not None:
        shown |= _statuses(provenance)
    for name, moment in zip(_MOMENTS, _moments_of(provenance), strict=True):
        if moment is not None:
            shown[name] = iso(moment)
    for name, value in zip(_SHOWN, _shown_of(provenance), strict=True):
        if value is not None:
            shown[name] = value
    return shown


def _links(provenance: Provenance) -> dict[str, Any]:
    links = {name: list(listed) for name in _LINKS if (listed := getattr(provenance, name))}
    if provenance.put_off:
        links["put_off"] = [name_of_put_off(each) for each in provenance.put_off]
    return links | claims_dict(provenance.claims)


def _statuses(provenance: Provenance) -> dict[str, str]:
    there = ((name, getattr(provenance, name)) for name in _WAS)
    return {name: status.value for name, status in there if status is not None}


def event_dict(event: MemoryEvent) -> EventDict:
    """An event as the API returns it."""
    metadata = {} if event.event is EventKind.NONE else event.metadata
    return shown_as(EventDict, event, metadata=metadata, reasons=reason_dicts(event.reasons))


def skipped_dict(skipped: Skipped) -> SkippedDict:
    """A message that was not stored, as the API returns it."""
    return shown_as(SkippedDict, skipped)


def history_dicts(records: Sequence[HistoryRecord]) -> list[HistoryDict]:
    """History as the API returns it, in the given order."""
    return [shown_as(HistoryDict, one, reasons=reason_dicts(one.reasons)) for one in records]


def proposal_dict(proposal: Proposal) -> ForgetProposal:
    """A proposal as the API returns it."""
    shown = ForgetProposal(results=[memory_dict(item) for item in proposal.items])
    if proposal.token is not None:
        shown["confirm"] = proposal.token
        shown["expires_at"] = iso(proposal.expires_at)
    if proposal.near:
        shown["near"] = [memory_dict(item) for item in proposal.near]
    return shown
