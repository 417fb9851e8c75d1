"""Changes the notes of turns: takes out of recall some of the sentences of their passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..embedders import in_background
from ..language.words import sentences
from ..model.types import Recent, Scope, Turn
from ..records.parts import Parts
from .passages import Noted, bare, dump_note, load_note

NOTHING = Noted("")


def without(passage: Noted, turn: Turn, says: Callable[[str], bool]) -> Noted:
    """The passage without the sentences that say something; without text if none is left.

    One that has what it answers is one sentence.
    """
    if says(passage.text):
        return NOTHING
    if turn.before is not None:
        return passage
    told = [one.strip() for one in sentences(passage.text) if one.strip()]
    kept = [one for one in told if not says(one)]
    if len(kept) == len(told):
        return passage
    return replace(passage, text=" ".join(kept), vector=None)


class Notes:
    """The notes of turns, read and written. All methods raise StateError."""

    def __init__(self, parts: Parts) -> None:
        """`parts` have the conversations that announce what changes."""
        self._parts = parts

    def passages(self, each: Recent) -> list[Noted]:
        """The passages of a turn, as they are noted or as they are found now."""
        embedder = self._parts.embedder
        noted = None if each.note is None else load_note(each.note, embedder.id, embedder.dim)
        return bare(each.turn) if noted is None else noted

    async def made(self, found: Iterable[tuple[Turn, Sequence[Noted]]]) -> list[tuple[Turn, str]]:
        """The notes of these passages, by turn. Raises EmbeddingError."""
        embedder = self._parts.embedder.id
        return [(turn, dump_note(await self._embedded(kept), embedder)) for turn, kept in found]

    async def keep(self, scope: Scope, notes: Sequence[tuple[Turn, str]]) -> None:
        """Keep these notes of turns."""
        if notes:
            await self._parts.state.conversations.annotate(notes)
            # Announces that the statements of the scope are to be read again.
            await self._parts.state.conversations.mark_remembered(scope, "", ())

    async def _embedded(self, kept: Sequence[Noted]) -> list[Noted]:
        """With vectors: a passage without one is read again from its turn."""
        bare = [one.text for one in kept if one.vector is None]
        if not bare:
            return list(kept)
        with in_background():
            vectors = dict(zip(bare, await self._parts.embedder.embed(bare), strict=True))
        return [
            one if one.vector is not None else replace(one, vector=vectors[one.text])
            for one in kept
        ]
