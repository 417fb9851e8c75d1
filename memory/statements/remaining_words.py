"""Keeps the words of a turn that no memory tells after learning (`learn.withheld`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..learn import AfterLearning, SaidAfter, StillSaid
from ..learn.reconcile import quotes_denial
from ..model.types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    Recent,
    Scope,
    Turn,
)
from ..recall.index.entry import LABELLED, LEFT
from ..records.parts import Parts
from .denial import is_quoted
from .passages import Noted
from .turn_notes import Kept, Notes, without

Said = tuple[str, str | None]
"""A fact, and the words that it was read from."""
HELD = frozenset({MemoryStatus.QUARANTINED})


class Believed(NamedTuple):
    """A memory that was held back and is believed now, or the decision that makes it so."""

    id: str
    turn_ids: tuple[str, ...]
    said: Said


class RemainingWords:
    """Leaves in recall what no memory tells, and takes it out once one does.

    All methods raise StateError and EmbeddingError, and StoreError.
    """

    def __init__(self, parts: Parts) -> None:
        """`parts` have the conversations that announce what changes."""
        self._parts = parts
        self._conversations = parts.state.conversations
        self._notes = Notes(parts)

    async def left(
        self,
        scope: Scope,
        turns: Sequence[Turn],
        after: AfterLearning,
        decisions: Sequence[Decision],
    ) -> SaidAfter:
        """Out of words that stay goes what memories tell; see `jobs.worker.Left`."""
        changed = [name for name, one in after.still_said.items() if one.told or one.labelled]
        found: list[Kept] = []
        for each in await self._named(scope, changed):
            before = self._notes.passages(each)
            kept = left_of(before, each, after.still_said[each.turn.id])
            if kept != before:
                found.append((each, kept))
        own = {turn.id for turn in turns}
        believed = [
            Believed(each.memory_id, each.turn_ids, (each.text, each.quote))
            for each in decisions
            if each.event is EventKind.UPDATE and not own.issuperset(each.turn_ids)
        ]
        earlier, over = await self._released(scope, believed, but=own)
        return SaidAfter(await self._notes.made([*found, *earlier]), over)

    async def release(self, items: Sequence[MemoryItem]) -> None:
        """Take out what memories say that were held back, and are not any more.

        A turn of which nothing is held back then goes as any other that was learned.
        """
        scopes: dict[Scope, list[Believed]] = defaultdict(list)
        for item in items:
            said = item.text, item.provenance.quote
            scopes[item.scope].append(Believed(item.id, item.provenance.turn_ids, said))
        for scope, some in scopes.items():
            await self._release(scope, some)

    async def _release(self, scope: Scope, believed: Sequence[Believed]) -> None:
        over: Mapping[str, Collection[str]] = {}

        async def find() -> Sequence[Kept]:
            nonlocal over
            found, over = await self._released(scope, believed)
            return found

        await self._notes.change(scope, find)
        for conversation, turns in over.items():
            await self._conversations.mark_remembered(scope, conversation, turns)

    async def _released(
        self, scope: Scope, believed: Sequence[Believed], but: Collection[str] = ()
    ) -> tuple[list[Kept], Mapping[str, Collection[str]]]:
        """The passages that stay of turns, and the turns that go whole, by conversation."""
        names = {name for one in believed for name in one.turn_ids}.difference(but)
        recent = await self._named(scope, names)
        if not recent:
            return [], {}
        ids = {one.id for one in believed}
        rows = await self._parts.store.list(scope, limit=None, statuses=HELD)
        held = {name for row in rows if row.id not in ids for name in row.provenance.turn_ids}
        told = [one.said for one in believed]
        found: list[Kept] = []
        over: dict[str, list[str]] = defaultdict(list)
        for each in recent:
            # What was said just now is learned later, with all else of its turn.
            if each.turn.id not in held and each.learned:
                over[each.turn.conversation_id].append(each.turn.id)
                continue
            before = self._notes.passages(each)
            after = _without(before, each, told)
            if after != before:
                found.append((each, [replace(one, flags=one.flags | {LEFT}) for one in after]))
        return found, over

    async def _named(self, scope: Scope, turn_ids: Iterable[str]) -> list[Recent]:
        names = sorted(set(turn_ids))
        found = await self._conversations.named(scope.tenant, names) if names else []
        return [each for each in found if each.turn.scope == scope]


def left_of(before: Sequence[Noted], each: Recent, still: StillSaid) -> list[Noted]:
    """What stays of a turn's passages. Pure.

    A sentence that something which is withheld was read from stays whatever else it says.
    """
    labels = {LABELLED} if still.labelled else frozenset[str]()
    labelled = [replace(one, flags=one.flags | labels) for one in before]
    if not still.told:
        return labelled
    told = [(one.text, one.quote) for one in still.told]
    held = [(one.text, one.quote) for one in still.held]
    return [replace(one, flags=one.flags | {LEFT}) for one in _without(labelled, each, told, held)]


def _without(
    before: Sequence[Noted], each: Recent, told: Sequence[Said], held: Sequence[Said] = ()
) -> list[Noted]:
    """The passages without the sentences that tell these and nothing that is `held`."""

    def says(text: str) -> bool:
        return _tells(text, told) and not _tells(text, held)

    return without(before, each.turn, says)


def _tells(text: str, facts: Iterable[Said]) -> bool:
    return any(quotes_denial(text, fact) or is_quoted(text, quote) for fact, quote in facts)
