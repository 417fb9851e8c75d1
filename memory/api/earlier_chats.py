"""Turns an export of another service into lines that an import reads: turns, word for word.

No model reads them of its own accord, so that an import costs nothing; what users said is recalled
as what they say here is. A turn has the same id in every export, so the same one is kept once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..model.types import Scope, Turn
from ..transfer import Header, end_line, header_line, unread_line
from ..transfer.chats import ForeignConversation, read_export
from .recording import with_questions

_HEADER = Header(embedder="none", dim=1, vectors=False)
"""Lines of turns have no vectors."""


class ByteSink(Protocol):
    """A binary file."""

    def write(self, data: bytes, /) -> object: ...


@dataclass(slots=True)
class FoundChats:
    """What an export has."""

    conversations: int = 0
    """Those with a turn."""
    turns: int = 0
    messages: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """How much is not among the turns, by the rule."""

    def count(self, found: ForeignConversation) -> None:
        """Count a conversation."""
        self.conversations += bool(found.turns)
        self.turns += len(found.turns)
        self.messages += found.messages
        self.left_out += found.left_out


def write_lines(
    service: str, path: Path, scope: Scope, to: ByteSink, progress: Callable[[int], None]
) -> FoundChats:
    """Write an export as lines for a scope; `progress` gets the turns so far.

    Raises InvalidInputError, which names the place, and OSError: then the lines have no end.
    """
    found = FoundChats()
    to.write(header_line(_HEADER))
    for conversation in read_export(service, path):
        for line in _lines(conversation, scope):
            to.write(line)
        found.count(conversation)
        progress(found.turns)
    to.write(end_line(found.turns))
    return found


def _lines(conversation: ForeignConversation, scope: Scope) -> list[bytes]:
    turns = [
        Turn(
            id=each.id,
            conversation_id=conversation.id,
            scope=scope,
            user_text=each.text,
            assistant_text=each.answer,
            model=each.model,
            created_at=each.at,
        )
        for each in conversation.turns
    ]
    return [unread_line(turn) for turn in with_questions(turns, ())]
