"""Leaves aside what users said that a person says is not so.

The passages that say it are taken out of the notes of their turns; the turns stay as they are. A
turn that is said later is read as any other: whoever says it again is believed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ..language.words import sentences
from ..learn.denials import DENIABLE
from ..learn.reconcile import quotes_denial, quotes_it
from ..model.endings import denied_at, is_never_again
from ..model.types import MemoryItem, Recent, Turn
from ..records.parts import Parts
from .passages import Noted, bare
from .statement_cache import MOST_TURNS
from .turn_notes import Kept, Notes, without


class StatementDenier:
    """Takes passages out of recall, and brings them back. All methods raise StateError."""

    def __init__(self, parts: Parts) -> None:
        """`parts` have the conversations that announce what changes."""
        self._parts = parts
        self._notes = Notes(parts)

    async def deny(self, item: MemoryItem) -> int:
        """Leave aside what says this memory, and was said before it ended; returns the turns.

        Raises EmbeddingError.
        """
        return await self._notes.change(item.scope, lambda: self._found(self._without, item))

    async def allow(self, item: MemoryItem) -> int:
        """Read the turns again that say this memory, which holds again; returns how many.

        What other memories of the scope deny stays aside. Raises StoreError, EmbeddingError.
        """
        number = await self._notes.change(item.scope, lambda: self._found(_saying, item))
        if number:
            ended = await self._parts.store.list(item.scope, limit=None, statuses=DENIABLE)
            for other in filter(denied_at, ended):
                await self.deny(other)
        return number

    async def _found(
        self, among: Callable[[Sequence[Recent], MemoryItem], list[Kept]], item: MemoryItem
    ) -> list[Kept]:
        recent = await self._parts.state.conversations.recent(item.scope, limit=MOST_TURNS)
        return await asyncio.to_thread(among, recent, item)

    def _without(self, recent: Sequence[Recent], item: MemoryItem) -> list[Kept]:
        """The turns that say it, with what is left of their passages."""
        left: list[Kept] = []
        for each in recent:
            if not _is_before(each.turn, item):
                continue
            found = self._notes.passages(each)
            kept = _left_of(found, each.turn, item)
            if kept != found:
                left.append((each, kept))
        return left


def _is_before(turn: Turn, item: MemoryItem) -> bool:
    ended = denied_at(item)
    return ended is None or turn.created_at <= ended or is_never_again(item)


def _saying(recent: Sequence[Recent], item: MemoryItem) -> list[Kept]:
    return [
        (each, None)
        for each in recent
        if each.note and _left_of(found := bare(each.turn), each.turn, item) != found
    ]


def _left_of(passages: Sequence[Noted], turn: Turn, item: MemoryItem) -> list[Noted]:
    return without(passages, turn, lambda text: says_it(text, turn, item))


def says_it(text: str, turn: Turn, item: MemoryItem) -> bool:
    """Whether a sentence of a turn says what a memory says, or is what it was learned from."""
    origin = item.provenance
    if quotes_denial(text, item.text):
        return True
    return turn.id in origin.turn_ids and is_quoted(text, origin.quote)


def is_quoted(text: str, quote: str | None) -> bool:
    """Whether a sentence is the quote, or has it as a part, or is a part of it."""
    whole = len(sentences(text)) == 1
    return whole and quotes_it(text, quote)
