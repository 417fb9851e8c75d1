"""Turns an export of another service into lines that an import reads: turns, word for word.

No model reads them of its own accord, so that an import costs nothing; what users said is recalled
as what they say here is. A turn has the same id in every export, so the same one is kept once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any

from ..model.types import Scope, Turn
from ..transfer import Header, end_line, header_line, unread_line
from ..transfer.chats import Export, ForeignConversation, read_export, read_open
from .recording import with_questions

_HEADER = Header(embedder="none", dim=1, vectors=False)
"""Lines of turns have no vectors."""


ReadChats = Iterator[ForeignConversation]
"""Conversations of an export, as they are read."""


@dataclass(slots=True)
class FoundChats:
    """What an export has."""

    conversations: int = 0
    """Those with a turn."""
    turns: int = 0
    messages: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """How much is not among the turns, by the rule."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON values."""
        names = ("conversations", "messages", "turns")
        told = {name: getattr(self, name) for name in names}
        return {**told, "left_out": {rule: n for rule, n in self.left_out.most_common() if n}}

    def count_some(self, conversations: Iterator[ForeignConversation], most: int) -> bool:
        """Count the next ones; whether there may be more. Raises as `write_lines`."""
        some = list(islice(conversations, most))
        for each in some:
            self.count(each)
        return len(some) == most

    def count(self, found: ForeignConversation) -> None:
        """Count a conversation."""
        self.conversations += bool(found.turns)
        self.turns += len(found.turns)
        self.messages += found.messages
        self.left_out += found.left_out


def write_lines(
    service: str, path: Path, scope: Scope, to: IO[bytes], progress: Callable[[int], None]
) -> FoundChats:
    """Write an export as lines for a scope; `progress` gets the turns so far.

    Raises InvalidInputError, which names the place, and OSError: then the lines have no end.
    """
    found = FoundChats()
    for line in lines_of(read_export(service, path), scope, found):
        to.write(line)
        progress(found.turns)
    return found


def read_upload(service: str, file: IO[bytes], size: int) -> ReadChats:
    """The conversations of an export of so many bytes, which is read from any place.

    Raises InvalidInputError, which names the place, and OSError.
    """
    return read_open(service, Export("the export", file, size))


def lines_of(
    conversations: Iterable[ForeignConversation], scope: Scope, found: FoundChats
) -> Iterator[bytes]:
    """What was said in conversations as lines for a scope, which are counted in `found`."""
    yield header_line(_HEADER)
    for conversation in conversations:
        found.count(conversation)
        yield from _lines(conversation, scope)
    yield end_line(found.turns)


class ReadOnce:
    """Lines as a file that an import reads; they are made as it reads them."""

    def __init__(self, lines: Iterator[bytes], at: int) -> None:
        """Those up to the byte `at` are left out."""
        self._lines = lines
        self._skip = at

    def readline(self, size: int = -1, /) -> bytes:
        """The next one, whole: an import refuses what is too long. Empty at the end."""
        del size
        line = next(self._lines, b"")
        while self._skip > 0 and line:
            self._skip -= len(line)
            line = next(self._lines, b"")
        return line


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
