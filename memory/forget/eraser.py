"""Erases rows with their history, counters and links, and the turns they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..model.graph import graph_owner
from ..model.owner import owning_tenant
from ..model.shares import ShareKind
from ..model.types import MemoryItem, OwnerRef, Scope
from ..records.writing import InsidePorts
from .answers import repeating
from .block_lines import lines_of, repeats, without_lines
from .cascade import is_episode, mark_of, tells_of
from .history import blank_texts, orphaned
from .passages import Turns, tombstone_of
from .targets import Erasure, TargetReason, erasure_of, evidence, is_version

MOST_ANSWERS = 600
"""Newest turns of a scope whose answers are read: as many as a search of conversations reads."""
MOST_ROWS = 1_000
"""Memories that one transaction erases: whoever writes meanwhile waits for it."""


@dataclass(slots=True)
class Erased:
    """The counts of a transaction of forgetting."""

    counts: Counter[str] = field(default_factory=Counter)
    """By the names of `receipt.COUNTED`."""
    rows: dict[str, MemoryItem] = field(default_factory=dict)
    """As they were, by id; versions included."""
    derived: int = 0
    """Those of them that only stood on what was forgotten."""
    named: set[str] = field(default_factory=set)
    """Ids that were named and are the owner's, with those of what was said."""
    scopes: Collection[Scope] = ()
    """Those that a forget by id touched."""
    left: int = 0
    """What a query still finds of it: 0, unless there is a defect."""
    more: bool = False
    """Whether a further transaction is to erase the rest."""
    stated: Collection[str] = ()
    """The texts that somebody meant, of memories that state one thing."""

    def add(self, other: Erased) -> None:
        """Count what another transaction did, which was later."""
        self.counts += other.counts
        self.rows |= other.rows
        self.left, self.more = other.left, other.more


class Eraser:
    """Erases within one transaction. All methods raise StoreError and StateError."""

    def __init__(self, ports: InsidePorts) -> None:
        self._ports = ports
        self._state = ports.state
        self._counts: Counter[str] = Counter()

    async def erase_ids(
        self, owner_ref: OwnerRef, ids: Collection[str], said: Turns, why: TargetReason
    ) -> Erased:
        """Erase memories by their ids, with their cascade, and the turns that were named."""
        tenant, memories = owning_tenant(owner_ref), self._ports.memories
        erasure = await erasure_of(
            memories, self._ports.history, owner_ref, ids, said=said, why=why
        )
        told = sorted(said.turns.union(erasure.told))
        repeats = await self._repeating(tenant, erasure, told)
        await self._add_episodes(owner_ref, erasure, repeats)
        marked = {*(told if erasure.meant else said.turns), *repeats}
        names = erasure.ids.union(erasure.rows)
        names.update(map(tombstone_of, said.turns), map(mark_of, marked))
        await self._bury(tenant, names)
        await self.erase_turns(tenant, told)
        if repeats:
            await self._state.conversations.erase_answers(tenant, repeats)
        await self._erase_rows(tenant, erasure.rows.values(), erasure.ids | said.passages)
        for scope in erasure.scopes:
            await self._state.jobs.drop_answers(scope)
        left: list[object] = [*await memories.get(tenant, sorted(erasure.rows))]
        if told:
            left += await self._state.conversations.named(tenant, told)
        stated = _stated(erasure) if erasure.meant else ()
        return Erased(
            self._counts, erasure.rows, len(erasure.derived & erasure.rows.keys()),
            erasure.ids | said.passages, erasure.scopes, len(left), stated=stated,
        )  # fmt: skip

    async def erase_lines(
        self, owner_ref: OwnerRef, line_ids: Collection[str], erased: Erased, now: datetime
    ) -> list[str]:
        """Erase lines of the owner's blocks, from earlier versions too; those that repeat it too.

        What is repeated is that which was `erased`, if somebody meant it. Returns the blocks' ids.
        """
        tenant, blocks = owning_tenant(owner_ref), self._state.blocks
        if not (line_ids or erased.stated) or not await blocks.exist(tenant):
            return []
        touched: list[str] = []
        for owner in _owners(owner_ref, erased.scopes):
            for block in await blocks.of_owner(owner):
                versions = await blocks.versions(tenant, block.id)
                lines = lines_of((block, *versions))
                gone = {*line_ids, *repeats(lines, erased.stated)}.intersection(
                    line.id for line in lines
                )
                if gone and block.id not in touched:
                    left = [without_lines(each, gone) for each in versions]
                    await blocks.retell(without_lines(block, gone, now), left)
                    touched.append(block.id)
        self._counts["blocks"] += len(touched)
        return touched

    async def erase_all(self, owner_ref: OwnerRef, *, first: bool) -> Erased:
        """Erase everything of a scope or a tenant, at most `MOST_ROWS` of its memories.

        What began before the `first` of these transactions writes nothing afterwards.
        """
        tenant, state, counts = owning_tenant(owner_ref), self._state, self._counts
        if first:
            counts["turns"] = await state.conversations.erase(owner_ref)
            counts["jobs"] = await state.jobs.erase(owner_ref)
            blocks = await state.blocks.of_owner(owner_ref)
            counts["blocks"] = await state.blocks.delete(tenant, [each.id for each in blocks])
            await state.attachments.erase(owner_ref)
            await state.runs.erase(owner_ref)
            await state.deeds.forget_all(owner_ref)
            await state.tombstones.close_scope(owner_ref)
        rows = await self._ports.memories.walk(owner_ref, after=None, limit=MOST_ROWS)
        await self._bury(tenant, [item.id for item in rows])
        await self.erase_turns(tenant, evidence(rows))
        await self._erase_rows(tenant, rows)
        erased = Erased(counts, {item.id: item for item in rows}, more=len(rows) == MOST_ROWS)
        if not erased.more:
            await self._erase_rest(owner_ref)
            erased.left = len(await self._ports.memories.walk(owner_ref, after=None, limit=1))
        return erased

    async def _repeating(self, tenant: str, erasure: Erasure, told: Collection[str]) -> list[str]:
        """Other turns, in which a model repeats what is forgotten."""
        if not (erasure.meant or erasure.said.turns):
            return []
        conversations, gone = self._state.conversations, frozenset(told)
        texts = _stated(erasure)
        if erasure.meant and erasure.said.turns:
            heard = await conversations.named(tenant, sorted(erasure.said.turns))
            texts.update(each.turn.user_text for each in heard)
        if not texts:
            return []
        found: set[str] = set()
        for scope in erasure.scopes:
            answers = await conversations.answers(scope, limit=MOST_ANSWERS)
            where = {one.conversation_id for one in answers if one.turn_id in gone}
            others = [one for one in answers if one.turn_id not in gone]
            found.update(repeating(others, texts, erasure.rows, where))
        return sorted(found)

    async def _add_episodes(
        self, owner_ref: OwnerRef, erasure: Erasure, turns: Collection[str]
    ) -> None:
        """Add the episodes that tell of these turns: they have the answers' words."""
        if not turns:
            return
        tenant, memories = owning_tenant(owner_ref), self._ports.memories
        found = await memories.resting_on(tenant, (), turns)
        ids = [
            one.id
            for one in found
            if tells_of(one, turns) and any(each.admits(one.scope) for each in erasure.scopes)
        ]
        more = await erasure_of(
            memories, self._ports.history, owner_ref, ids, why=TargetReason.DERIVED
        )
        erasure.derived |= more.rows.keys() - erasure.rows.keys()
        erasure.rows |= more.rows

    async def _bury(self, tenant: str, ids: Collection[str]) -> None:
        """Write tombstones, so that these memories are never written again."""
        if ids:
            await self._state.tombstones.add(tenant, sorted(ids))

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """Erase the texts of turns; how many had some."""
        erased = 0
        if turn_ids:
            erased = await self._state.conversations.erase_turns(tenant, turn_ids)
            await self._state.deeds.forget(tenant, (), turn_ids)
            self._counts["turns"] += erased
        return erased

    async def _erase_rest(self, owner_ref: OwnerRef) -> None:
        await self._state.attachments.erase(owner_ref)
        if isinstance(owner_ref, Scope):
            self._counts["history"] += await self._ports.history.erase_scope(owner_ref)
            if (graph := self._ports.graph) is not None:
                # Nothing is to be linked again of whom nothing is left.
                await graph.disturb(graph_owner(owner_ref))
        else:
            await self._state.usage.reset(owner_ref)
            await self._ports.history.reset(owner_ref)
            await self._ports.memories.reset(owner_ref)

    async def _erase_rows(
        self, tenant: str, rows: Collection[MemoryItem], named: Iterable[str] = ()
    ) -> None:
        """Erase rows, and what there is of ids of which there is no row any more.

        Memories that are neither erased nor `named` stay; their history loses the versions' texts.
        """
        gone = {item.id for item in rows}.union(named)
        if not gone:
            return
        ids, counts = sorted(gone), self._counts
        if stay := orphaned(rows, gone):
            counts["history"] += await blank_texts(self._ports.history, tenant, stay)
        counts["history"] += await self._ports.history.erase(tenant, ids)
        counts["usage"] += await self._state.usage.erase(tenant, ids)
        # Of those that stay, too: the hash of an earlier text is a hash of what is forgotten.
        await self._state.deeds.forget(tenant, sorted(gone.union(stay)))
        await self._state.attachments.erase_items(tenant, ShareKind.MEMORY, ids)
        if (graph := self._ports.graph) is not None:
            # Before they are deleted, which takes their links along.
            links, entities = await graph.held_by(tenant, ids)
            counts["links"] += links
            counts["entities"] += entities
        await self._ports.memories.delete(tenant, ids)
        versions = sum(map(is_version, rows))
        counts["versions"] += versions
        counts["memories"] += len(rows) - versions


def _owners(owner_ref: OwnerRef, scopes: Iterable[Scope]) -> set[OwnerRef]:
    """Whose blocks may tell what is erased: those of the users, whichever agent it was told to."""
    named = {owner_ref} if isinstance(owner_ref, Scope) else set[Scope]()
    found = named.union(scopes)
    return {Scope(tenant=one.tenant, user_id=one.user_id) if one.user_id else one for one in found}


def _stated(erasure: Erasure) -> set[str]:
    """The texts of what is erased, but those of summaries and episodes, which say much else too."""
    stated = (row for row in erasure.rows.values() if row.id not in erasure.derived)
    return {row.text for row in stated if not is_episode(row)}
