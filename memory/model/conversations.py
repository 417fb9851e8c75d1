"""Values read of whole conversations: a part of `SqlConversations`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .types import Scope


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
