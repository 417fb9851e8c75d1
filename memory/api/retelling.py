"""Episodes that tell what a person said is not so: that sentence goes, and comes back with it.

An episode is told from many turns, so it is neither wrong as a whole nor right.
"""

from __future__ import annotations

from dataclasses import replace

from ..forget.cascade import is_episode
from ..learn.denials import drop_denied
from ..learn.records import version_of
from ..model.endings import PERSON, by_person
from ..model.filters import Condition, Operator, field_of
from ..model.types import EventKind, MemoryItem, MemoryStatus, MemoryType
from .changing import ChangedRows, MemoryInHand
from .curation import Curation

_EPISODES = Condition(field_of("type"), Operator.EQ, MemoryType.EPISODIC.value)


class Retelling(Curation):
    """Rewords the episodes of a scope. All methods raise StoreError, StateError, EmbeddingError."""

    async def leave_out(self, denied: MemoryItem) -> int:
        """Take what a memory said out of all episodes that tell it; returns how many did."""
        changed = 0
        for episode in await self._episodes(denied):
            left = _left_of(episode, denied)
            if left == "":
                await self.invalidate(episode, _reason(denied))
            elif left != episode.text:
                await self._retell(episode, denied)
            changed += left != episode.text
        return changed

    async def tell_again(self, denied: MemoryItem) -> int:
        """Bring back what `leave_out` took, where nobody changed the episode since."""
        statuses = frozenset({MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED})
        rows = await self._store.list(denied.scope, limit=None, statuses=statuses, where=_EPISODES)
        mark, changed = by_person(_reason(denied)), 0
        by_id = {item.id: item for item in rows}
        for row in rows:
            if row.provenance.ended != mark:
                continue
            episode = by_id.get(row.provenance.superseded_by or row.id)
            to = None if episode is row else row.version
            if episode is not None and (to is None or episode.version == row.version + 1):
                await self.revert(episode, to)
                changed += 1
        return changed

    async def _episodes(self, denied: MemoryItem) -> list[MemoryItem]:
        found = await self._store.list(denied.scope, limit=None, where=_EPISODES)
        return [item for item in found if is_episode(item) and item.id != denied.id]

    async def _retell(self, episode: MemoryItem, denied: MemoryItem) -> None:
        """Reword it; its times and its batch stay, so that it is extended as any other."""
        reason = _reason(denied)

        def make(hand: MemoryInHand) -> ChangedRows:
            was, now = hand.item, hand.now
            left = _left_of(was, denied)
            if left in {"", was.text}:
                return ChangedRows(was, unchanged=True)
            told = replace(
                was,
                text=left,
                version=was.version + 1,
                embedder_id=self._embedder.id,
                provenance=replace(was.provenance, recorded_at=now),
            )
            before = version_of(was, batch=hand.batch.id, until=now, ended=by_person(reason))
            record = self._record(
                EventKind.UPDATE, told, was, hand.batch, stage=PERSON, reason=reason
            )
            return ChangedRows(told, [record], [before])

        await self._change(episode, make)


def _left_of(episode: MemoryItem, denied: MemoryItem) -> str:
    turn_ids = episode.provenance.turn_ids
    return drop_denied(episode.text, turn_ids, [denied], loosely=True)


def _reason(denied: MemoryItem) -> str:
    return f"it told {denied.id}, which is not so"
