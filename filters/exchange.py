"""One proxied request with what the filters noted about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from recollect.memory.recall import Query, Selection
from recollect.memory.types import Message, Scope, ToolCall


class Outcome(StrEnum):
    """What became of memory in a request: the value of ``x-recollect-memory``."""

    INJECTED = "injected"
    EMPTY = "empty"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome and why: one word for machines, the value of ``x-recollect-reason``."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Injection:
    """A system message to insert before the message that now has this index."""

    index: int
    text: str
    merge: bool = False
    """Make it the end of the message with this index instead, if that is a system message."""


def last_user_index(messages: Sequence[Message]) -> int | None:
    """Index of the last user message: the one a request is about."""
    return next((i for i in reversed(range(len(messages))) if messages[i].role == "user"), None)


def turn_text(messages: Sequence[Message], otherwise: str) -> str:
    """What the user said to begin the turn; `otherwise` if only tools speak in this request."""
    index = last_user_index(messages)
    return otherwise if index is None else messages[index].content


@dataclass(slots=True, kw_only=True)
class Exchange:
    """What filters see of a request and may note about it. The request itself is not in reach."""

    scope: Scope
    messages: Sequence[Message]
    """Every message of the request, reduced to role and text, in order."""
    model: str
    tools: Sequence[str] = ()
    """Names of the tools that were offered."""
    conversation_id: str
    turn_id: str
    query: Query = field(default_factory=lambda: Query(""))
    """What memory is searched for; set by rewrite."""
    selection: Selection | None = None
    """What recall chose."""
    injections: Sequence[Injection] = ()
    """What the request gets, in the order of their indexes; set by inject. Several may have the
    same index: they come in their order."""
    verdict: Verdict | None = None
    """Set by the filter that ends the recall; the filters after it do not run."""
    asked: str = ""
    """The message that began the turn, where only tools speak in this request."""
    shown: frozenset[str] = frozenset()
    """Versions of memories (`inject.blocks.version_of`) that the model sees anyway, in blocks of
    earlier turns."""
    injected: frozenset[str] = frozenset()
    """Versions of this recall's memories that the model sees, in whichever block; set by inject."""
    notes: dict[str, str] = field(default_factory=dict)
    """For traces: never any text of the conversation."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The assistant's final message as it was sent to the client, or as much of it as was."""

    text: str
    complete: bool = True
    tool_calls: tuple[ToolCall, ...] = ()
    """With any of these the turn goes on: the client runs them and asks again."""
    response_id: str = ""
    """What a later request may name as the answer it goes on from."""
