"""Changes the notes of turns: takes out of recall some of the sentences of their passages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from ..embedders import in_background
from ..language.words import sentences
from ..model.errors import ConflictError
from ..model.ports import Embedder
from ..model.types import Recent, Scope, Turn
from ..records.parts import Parts
from .passages import Noted, bare, dump_note, load_note

UNREAD = ""
"""The note of a turn that is to be read again."""
TRIES = 8
"""So often notes are read again because somebody else wrote some of them meanwhile."""


def without(passages: Iterable[Noted], turn: Turn, says: Callable[[str], bool]) -> list[Noted]:
    """The passages without the sentences that say something; none that has no other.

    One that has what it answers is one sentence.
    """
    kept: list[Noted] = []
    for one in passages:
        if says(one.text):
            continue
        told = [each.strip() for each in sentences(one.text) if each.strip()]
        left = [each for each in told if turn.before is not None or not says(each)]
        if left:
            same = len(left) == len(told)
            kept.append(one if same else replace(one, text=" ".join(left), vector=None))
    return kept


NewNote = tuple[Recent, str]
"""A turn as it was read, and its note from now on."""
Kept = tuple[Recent, Sequence[Noted] | None]
"""The same, and its passages from now on; None: it is to be read again."""


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

    async def made(self, found: Iterable[Kept]) -> list[NewNote]:
        """The notes of these passages, by turn. Raises EmbeddingError."""
        embedder = self._parts.embedder
        return [
            (
                each,
                UNREAD if kept is None else dump_note(await embedded(embedder, kept), embedder.id),
            )
            for each, kept in found
        ]

    async def change(self, scope: Scope, find: Callable[[], Awaitable[Sequence[Kept]]]) -> int:
        """Keep what `find` leaves of turns that it reads; returns of how many.

        It is called again if somebody else noted one meanwhile. Raises ConflictError if that does
        not end, and EmbeddingError.
        """
        conversations, kept = self._parts.state.conversations, 0
        for _ in range(TRIES):
            notes = await self.made(await find())
            kept += (new := await conversations.annotate(notes))
            if new == len(notes):
                break
        else:
            raise ConflictError("what users said is noted by others all the time: try it again")
        if kept:
            # Announces that the statements of the scope are to be read again.
            await conversations.mark_remembered(scope, "", ())
        return kept


async def embedded(embedder: Embedder, kept: Sequence[Noted]) -> list[Noted]:
    """With vectors: a passage without one is read again from its turn. Raises EmbeddingError."""
    bare = [one.text for one in kept if one.vector is None]
    with in_background():
        vectors = dict(zip(bare, await embedder.embed(bare), strict=True)) if bare else {}
    return [
        one if one.vector is not None else replace(one, vector=vectors[one.text]) for one in kept
    ]
