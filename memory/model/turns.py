"""What was said: messages, calls of tools, and turns. Values without IO; `types` has them too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One chat message reduced to its role and text."""

    role: str
    content: str
    calls: tuple[ToolCall, ...] = ()
    """Tool calls of an assistant message."""
    call_id: str | None = None
    """For a tool message: the call it answers."""
    images: tuple[str, ...] = ()
    """URLs of its pictures, ``data:`` ones too; `content` has ``[image]`` in their places."""
    name: str | None = None
    """For a user message: who speaks, if several people do. Empty if that is no text."""


def instructed(system: str, user: str) -> list[Message]:
    """The messages of a call of a model: what it is to do, and with what."""
    return [Message(role="system", content=system), Message(role="user", content=user)]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of the assistant; `arguments` is the JSON text received, possibly incomplete."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class ToolStep:
    """A tool that ran within a turn: its arguments and its result."""

    name: str
    arguments: str
    result: str


@dataclass(frozen=True, slots=True)
class PrecedingQuestion:
    """The question that a short message answers, redacted. Nothing is learned from it."""

    turn_ids: tuple[str, ...] = ()
    """The turns that it may speak of. If one of these is erased, all of this is."""
    asked: str = ""
    """The question, with its options."""
    plays: bool = False
    """Whether roles are played: the message is a character's, but for what is said apart."""
    upstream: str = ""
    """Only as a row is kept: `Turn.upstream`."""


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
    """Position in the conversation, 1-based; assigned by the store when it records the turn."""
    steps: tuple[ToolStep, ...] = ()
    """Tools that ran between the message and the answer."""
    recalled: tuple[str, ...] = ()
    """Ids of the memories shown to the model: its answer may only repeat them."""
    asked: tuple[str, ...] | None = None
    """Those that bear on this message by themselves, not shown beside one that does, or for an
    earlier message. None: unknown."""
    images: tuple[str, ...] = ()
    """URLs of pictures the user sent, if a vision model is to describe them."""
    tokens: int = 0
    """Approximate number of tokens."""
    response_id: str = ""
    """The upstream's id of the answer: a later request may continue from it."""
    upstream_id: str = ""
    """The id of the conversation that the upstream keeps, if the request named one."""
    before: PrecedingQuestion | None = None
    """What came before a short message; kept as the turn is first recorded."""
    zone: str = ""
    """The name of the user's time zone; "" for the server's."""
    upstream: str = ""
    """The base URL of the server that it was first told to; "" if that is not known."""

    @property
    def told_to(self) -> str:
        """The server and the model that it was told to, as `Provenance.told_to` has them."""
        return f"{self.upstream} {self.model}" if self.upstream else ""


TOLD_UNKNOWN = "unknown"
"""In place of a server that is not known."""


def told_to_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """The servers and models that turns were told to; none if none is known."""
    told = {turn.told_to or TOLD_UNKNOWN for turn in turns}
    return () if told <= {TOLD_UNKNOWN} else tuple(sorted(told))


class GivenAnswer(NamedTuple):
    """What a model said in a turn, and what tools found for it."""

    turn_id: str
    conversation_id: str
    recalled: tuple[str, ...]
    """Ids of the memories that it was shown."""
    text: str


@dataclass(frozen=True, slots=True)
class Recent:
    """A turn whose facts are not memories yet."""

    turn: Turn
    note: str | None = None
    """What was found in it (`SqlConversations.annotate`); None if nobody looked yet."""
    learned: bool = False
    """Whether extraction read it, and kept nothing."""
    unread: bool = False
    """Whether no model reads it of its own accord."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The position of a recorded turn; turns of its conversation that await learning, in tokens."""

    seq: int
    pending: int
    pending_tokens: int = 0
    erased: bool = False  # Before: nothing of it was kept, or is to be shown.
    alone: bool = False  # Kept without `Turn.before`, which was erased.
    is_noted: bool = False  # Sent again: what was found in it stays noted.
