"""One proxied request with what the filters noted about it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from recollect.memory.model.types import MemoryType, Message, Scope, ToolCall
from recollect.memory.recall import Query, Selection


class Outcome(StrEnum):
    """The result of a request's recall: the value of ``x-recollect-memory``."""

    INJECTED = "injected"
    EMPTY = "empty"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome and its reason word, the value of ``x-recollect-reason``."""

    outcome: Outcome
    reason: str


class Place(StrEnum):
    """Where a request takes a block of memories; what a model server accepts differs.

    ``user``: inside a user message, before its text. Every chat template that was tried accepts
    it. ``tail``: a system message before a user message. ``start``: the end of the client's first
    system message, or a first system message. ``tail`` and ``user`` leave the prompt cache valid
    up to the user message.
    """

    TAIL = "tail"
    USER = "user"
    START = "start"


@dataclass(frozen=True, slots=True)
class Injection:
    """A block for the message with this index."""

    index: int
    text: str
    place: Place


def last_user_index(messages: Sequence[Message]) -> int | None:
    """Index of the last user message: the one a request is about."""
    return next((i for i in reversed(range(len(messages))) if messages[i].role == "user"), None)


def turn_text(messages: Sequence[Message], otherwise: str) -> str:
    """The last user message; `otherwise` if the request has none."""
    index = last_user_index(messages)
    return otherwise if index is None else messages[index].content


SYSTEM_CHARS = 200
"""Of the instructions, to tell one set of them from another."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request wants its answer, apart from what it says."""

    stream: bool = False
    limit: int | None = None
    """Most tokens of the answer."""
    tools: bool = False
    forced: bool = False
    """The answer must have a form: JSON, or a call."""
    system: str = ""
    """How the instructions begin, at most `SYSTEM_CHARS`."""
    continues: bool = False
    """It continues a conversation that the upstream keeps."""


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Exchange:
    """The filters' view of a request, and their notes."""

    scope: Scope
    messages: Sequence[Message]
    """Every message of the request, reduced to role and text, in order."""
    model: str
    conversation_id: str
    turn_id: str
    place: Place = Place.USER
    """Where the model server takes memories."""
    manner: Manner = field(default_factory=Manner)
    aside: bool = False
    """The client asks about a turn (a title, a summary): it is no turn of the user."""
    query: Query = field(default_factory=lambda: Query(""))
    """What memory is searched for; set by rewrite."""
    only: MemoryType | None = None
    """The only type of memories that may be recalled; None for all."""
    wishes_only: bool = False
    """Nothing is searched for: only how the user wants to be answered is recalled."""
    selection: Selection | None = None
    """What recall chose."""
    injections: Sequence[Injection] = ()
    """Blocks to insert, in the order of their indexes; set by inject. Those with the same index
    are inserted in this order."""
    verdict: Verdict | None = None
    """Set by the filter that ends the recall; the filters after it do not run."""
    may_forget: bool = False
    granted: asyncio.Future[bool] | None = None
    """Done when the model server has answered: whether it took the client's credentials. None if
    they are proven without it. Nothing is erased before."""
    """Whether what the user asks to forget may be erased: the caller may write."""
    unsaid: str | None = None
    """What is kept of the user's message in place of it, if it asks to forget something; "" for
    nothing of the turn."""
    notice: Sequence[Injection] = ()
    """What the model is told about forgetting; injected whatever else is."""
    asked: str = ""
    """The message that began the turn, if this request has only tool results."""
    earlier: Sequence[Message] = ()
    """Messages before those of the request, if the upstream keeps the conversation; redacted."""
    earlier_turns: Sequence[str] = ()
    """The turns of the user's messages among them, in order."""
    upstream_id: str = ""
    """The id of the conversation that the upstream keeps, if the request names one."""
    turns: tuple[str, ...] = ()
    """The turns that the request repeats or the upstream keeps, oldest first, this one last."""
    visible: frozenset[str] = frozenset()
    """Those of them that the model sees for sure: what they say need not be recalled."""
    shown: frozenset[str] = frozenset()
    """Versions of memories (`inject.blocks.version_of`) in blocks of earlier turns."""
    injected: frozenset[str] = frozenset()
    """Versions of this recall's memories that the model sees in any block; set by inject."""
    notes: dict[str, str] = field(default_factory=dict)
    """For traces; without text of the conversation."""

    @property
    def heard(self) -> Sequence[Message]:
        """The conversation as far as it is known: what a chat completions client would resend."""
        return [*self.earlier, *self.messages] if self.earlier else self.messages


@dataclass(frozen=True, slots=True)
class Answer:
    """The assistant's message as far as it was sent to the client."""

    text: str
    complete: bool = True
    tool_calls: tuple[ToolCall, ...] = ()
    """With any of these the turn continues: the client runs them and sends the results."""
    response_id: str = ""
    """The id that a later request may continue from."""
