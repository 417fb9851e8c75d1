"""What is read of whole conversations: a part of `ConversationStore`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from .types import Scope, Turn


class ConversationMark(NamedTuple):
    """A place in the order of a scope's conversations."""

    last_ms: int
    """When its last turn was created, in milliseconds since the epoch."""
    id: str


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation as it is listed: only turns that still have their texts count."""

    id: str
    scope: Scope
    turns: int
    started_at: datetime
    """When the first of them was created."""
    last_at: datetime
    begins: str
    """The beginning of the user's first message, at most `PREVIEW_CHARS` characters."""


PREVIEW_CHARS = 200


def used_in(turn: Turn) -> tuple[str, ...]:
    """The memories that a turn used: what its message asked for, else all that was shown."""
    return turn.recalled if turn.asked is None else turn.asked


class ConversationReads(Protocol):
    """The reads of whole conversations. None of them finds the text of a turn that was erased.

    A conversation is of one scope; one that the scope does not admit does not exist. All raise
    StateError.
    """

    async def conversations(
        self, scope: Scope, *, after: ConversationMark | None = None, limit: int
    ) -> Sequence[ConversationSummary]:
        """Those that the scope admits, the one with the newest turn first; of equal times by id.

        At most `limit` of those that are listed after a mark. One that goes on meanwhile moves to
        the beginning, so that pages repeat nothing.
        """

    async def conversation_turns(
        self, scope: Scope, conversation_id: str, *, after_seq: int = 0, limit: int
    ) -> Sequence[Turn]:
        """At most `limit` turns after a position, in order."""

    async def latest_turns(
        self, scope: Scope, conversation_id: str, *, limit: int
    ) -> Sequence[Turn]:
        """The last `limit` turns, the newest first."""

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        """When each of these turns was created, None for one that was erased.

        Those that this conversation did not record are left out.
        """
