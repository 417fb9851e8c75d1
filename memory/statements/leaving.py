"""What stays of a turn's words after learning: all but what memories tell (`learn.withheld`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..learn import StillSaid
from ..learn.reconcile import says_it
from ..model.types import MemoryItem, MemoryStatus, Recent, Scope
from ..recall.index.entry import LABELLED, LEFT
from ..records.parts import Parts
from .denying import is_quoted
from .noting import Notes, without
from .passages import Noted

Said = tuple[str, str | None]
"""A fact, and the words that it was read from."""
HELD = frozenset({MemoryStatus.QUARANTINED})


class StatementLeaver:
    """Leaves in recall what no memory tells, and takes it out once one does.

    All methods raise StateError and EmbeddingError. They change notes only, and the same again
    changes nothing.
    """

    def __init__(self, parts: Parts) -> None:
        """`parts` have the conversations that announce what changes."""
        self._parts = parts
        self._conversations = parts.state.conversations
        self._notes = Notes(parts)

    async def leave(self, scope: Scope, still_said: Mapping[str, StillSaid]) -> None:
        """Take out of turns whose words stay what memories tell; the rest is told beside these."""
        changed = [name for name, one in still_said.items() if one.told or one.labelled]
        found = []
        for each in await self._named(scope, changed):
            before = self._notes.passages(each)
            after = left_of(before, each, still_said[each.turn.id])
            if after != before:
                found.append((each.turn, after))
        await self._notes.write(scope, found)

    async def release(self, items: Sequence[MemoryItem]) -> None:
        """Take out what memories say that were held back, and are not any more.

        A turn of which nothing is held back then goes as any other that was learned. Raises
        StoreError.
        """
        scopes: dict[Scope, list[MemoryItem]] = defaultdict(list)
        for item in items:
            scopes[item.scope].append(item)
        for scope, some in scopes.items():
            await self._release(scope, some)

    async def _release(self, scope: Scope, items: Sequence[MemoryItem]) -> None:
        recent = await self._named(scope, (t for item in items for t in item.provenance.turn_ids))
        if not recent:
            return
        ids = {item.id for item in items}
        rows = await self._parts.store.list(scope, limit=None, statuses=HELD)
        held = {name for row in rows if row.id not in ids for name in row.provenance.turn_ids}
        told = [(item.text, item.provenance.quote) for item in items]
        found = []
        over: dict[str, list[str]] = defaultdict(list)
        for each in recent:
            if each.turn.id not in held:
                over[each.turn.conversation_id].append(each.turn.id)
                continue
            before = self._notes.passages(each)
            after = _without(before, each, told)
            if after != before:
                found.append((each.turn, [replace(one, flags=one.flags | {LEFT}) for one in after]))
        await self._notes.write(scope, found)
        for conversation, turns in over.items():
            await self._conversations.mark_remembered(scope, conversation, turns)

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

    return [left for one in before if (left := without(one, each.turn, says)).text]


def _tells(text: str, facts: Iterable[Said]) -> bool:
    return any(says_it(text, fact) or is_quoted(text, quote) for fact, quote in facts)
