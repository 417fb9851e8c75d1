"""Forgetting erases memories everywhere and returns a receipt. Nothing else destroys data.

It is one transaction; of a scope or a tenant with very many memories there are further ones.
Memories that are forgotten by id are buried in it, and a scope's epoch is raised. A write that
began before sees that within its own transaction (`guard.WriteGuard`) and leaves out what is
buried, or everything of the scope. A job whose scope is forgotten is erased or cancelled. So
nothing that was forgotten comes back, in whatever order the transactions run. Who dies in between
calls it again.

What was said is forgotten by id as a memory is, with its turn in place of the row (`passages.py`).

The turns that a memory names as evidence are erased with it, even if they were only learned in the
same batch, because their texts may still state it. They are learned already, so other memories lose
only evidence. Forgetting single ids does not cancel jobs: that would undo everything else the job
learned. Its checkpoint may hold the text until the job ends, but the tombstone blocks the write.
What a model answered to the scope's dead jobs, which operators can read, is dropped.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

from ..database.changes import ChangeKind
from ..model.endings import is_refiled
from ..model.errors import InvalidInputError
from ..model.filters import EVERYTHING, Filter
from ..model.inputs import is_storable
from ..model.owner import owning_tenant
from ..model.row_kinds import BLOCK_PREFIX, is_block_line, is_passage, turns_in
from ..model.types import MemoryItem, OwnerRef, Scope, utc_now
from ..recall.index.entry import SaidPassage
from ..recall.index.statement_reader import StatementReader
from ..records.invalidation import ANNOUNCED_SINGLY, InvalidationBus
from ..records.lookup import MemoryLookup
from ..records.parts import Parts
from ..records.writing import InsidePorts
from .block_lines import block_of, lines_of, meant_lines
from .eraser import Erased, Eraser
from .guard import WriteGuard
from .passages import NO_TURNS, Turns, check_whole_turns, tombstone_of
from .proposal import VALID_SECONDS, Proposal, changed_since, read_token, token_for
from .receipt import COUNTED, ForgetKind, NotForgottenError, Receipt, receipt_id
from .search import MatchesToForget, find
from .targets import ANY_STATUS, TargetReason, erasure_of

log = logging.getLogger(__name__)


class Forgetter:
    """Erases memories with their history, evidence and, for a scope, its jobs and blocks."""

    def __init__(
        self,
        parts: Parts,
        *,
        bus: InvalidationBus | None = None,
        heard: StatementReader,
        key: bytes | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`bus` announces every erased memory. `heard` finds what was said.

        `key` signs proposals: processes need the same key to confirm each other's. Without one,
        proposals are valid only in this process.
        """
        self._store = parts.store
        self._writer = parts.writer
        self._tombstones = parts.state.tombstones
        self._blocks = parts.state.blocks
        self._embedder = parts.embedder
        self._history = parts.history
        self._keys = parts.state.scripts.keys
        self._heard = heard
        self._owned = MemoryLookup(parts.store, parts.history, self._heard)
        self.bus = bus or InvalidationBus()
        self._key = key or secrets.token_bytes(32)
        self._clock = clock

    async def forget_ids(
        self,
        owner_ref: OwnerRef,
        ids: Sequence[str],
        *,
        kind: ForgetKind = ForgetKind.IDS,
        derived: bool = False,
    ) -> Receipt:
        """Forget these memories and their earlier versions; unknown ids count as missing.

        What was made of their words is erased too. `derived`: these only cite something that was
        forgotten, so the turns that they tell of are kept.

        So do ids of memories that are not of `owner_ref`; none of those is erased or buried. Of a
        passage (`said:...`) the whole turn is forgotten, with all that was said in it; once a
        memory took its place its id is unknown.

        Raises:
            NotForgottenError: a memory is still found.
            StoreError, StateError: a part failed; call it again.
        """
        storable = [each for each in ids if is_storable(each)]
        lines = frozenset(filter(is_block_line, storable))
        asked = [each for each in storable if is_passage(each)]
        said = Turns.of(await self._heard_of(owner_ref, asked)) if asked else NO_TURNS
        why = TargetReason.FOUND if kind is ForgetKind.RETENTION else TargetReason.MEANT
        return await self._forget(
            owner_ref,
            [each for each in storable if not (is_passage(each) or each in lines)],
            said,
            TargetReason.DERIVED if derived else why,
            kind,
            asked=frozenset(ids),
            lines=lines,
        )

    async def forget_turns(self, scope: Scope, turn_ids: Sequence[str]) -> Receipt:
        """Forget turns of a scope and the memories that name them, as if each was said.

        Raises as `forget_ids`.
        """
        passages = await self._heard.of_turns(scope.tenant, turn_ids)
        said = Turns.of(passages, turn_ids, scope)
        return await self._forget(scope, [], said, TargetReason.FOUND, ForgetKind.CONVERSATION)

    async def erase_turns(
        self, scope: Scope, turn_ids: Sequence[str], episodes: Sequence[str] = ()
    ) -> int:
        """Erase the texts of turns of a scope; returns how many held text.

        With them go the episodes of these ids, which tell all that was said, also if they are just
        being written. Other memories that were learned from the turns stay, and what a job that has
        read them makes of them. Caches are told without any turn too: an earlier call may have died
        before that. Raises as `forget_ids`.
        """
        tenant, started = scope.tenant, self._clock()
        passages = await self._heard.of_turns(tenant, turn_ids)

        async def work(ports: InsidePorts) -> tuple[int, Erased]:
            if turn_ids:
                await ports.state.jobs.drop_answers(scope)
            await ports.state.usage.erase(tenant, [one.item.id for one in passages])
            await ports.state.tombstones.add(tenant, episodes)
            eraser = Eraser(ports)
            held = await eraser.erase_turns(tenant, turn_ids)
            erased = await eraser.erase_ids(scope, episodes, NO_TURNS, TargetReason.MEANT)
            ports.erased.extend(erased.rows.values())
            ports.announce(scope, ChangeKind.SAID, ChangeKind.GONE, ChangeKind.FORGOTTEN)
            return held, erased

        await self.bus.erase(scope)
        held, erased = await self._writer.change(work, tenants={tenant}, erases=True)
        await self.bus.erase(scope)
        self._receipt(erased, ForgetKind.IDS, started, frozenset(erased.rows), episodes)
        return held

    async def _heard_of(self, owner_ref: OwnerRef, ids: Sequence[str]) -> Sequence[SaidPassage]:
        """All passages of the turns of these, as far as they are of `owner_ref`."""
        named = await self._owned.said(owner_ref, ids)
        turns = sorted({one.turn_id for one in named})
        return await self._heard.of_turns(owning_tenant(owner_ref), turns)

    async def propose(
        self,
        scope: Scope,
        query: str,
        limit: int = 20,
        *,
        where: Filter = EVERYTHING,
        near: bool = False,
    ) -> Proposal:
        """Find the memories about a query, of any status, for `confirm`; changes nothing.

        They pass the filter. What the query names is proposed, in every spelling; what is only near
        is told apart, unless it is to go too (`near`). Earlier versions are included and do not
        count towards `limit`.

        Raises:
            InvalidInputError: there is no query.
            StoreError, EmbeddingError: the search failed.
        """
        if not query.strip():
            raise InvalidInputError("query", "expected some text")
        found = await self.find(scope, query, limit, where)
        erasure = [*found.meant, *found.near][:limit] if near else found.meant
        return await self.propose_items(scope, erasure, near=() if near else found.near)

    async def items_of(self, scope: Scope) -> list[MemoryItem]:
        """All memories of a scope, of any status, with what was said. Raises as `find`."""
        memories = await self._store.list(scope, limit=None, statuses=ANY_STATUS)
        said = [one.item for one in await self._heard.of_scope(scope)]
        return [each for each in (*memories, *said) if not is_refiled(each)]

    async def proposed(self, scope: Scope, token: str) -> list[MemoryItem]:
        """What a token proposes, as far as it is there. Raises as `confirm`."""
        named, said, stored = await self._read(scope, token)
        items = {item.id: item for item in (*stored, *(one.item for one in said))}
        return [items[each] for each in named if each in items]

    async def _read(
        self, scope: Scope, token: str
    ) -> tuple[dict[str, str], Sequence[SaidPassage], list[MemoryItem]]:
        """What a token names, and what is there of it: what was said, and memories."""
        named = read_token(self._key, scope, token, now=self._clock())
        said = await self._heard.named(scope.tenant, filter(is_passage, named))
        ids = [each for each in named if not (is_passage(each) or is_block_line(each))]
        stored = await self._store.get(scope.tenant, ids)
        if any(map(is_block_line, named)):
            stored += [line for line in await self._lines_of(scope) if line.id in named]
        return named, said, stored

    async def all_of(self, scope: Scope, *, most: int) -> tuple[int, list[MemoryItem]]:
        """How many memories a scope has, with what was said, and the newest of them.

        Raises StoreError, StateError.
        """
        said = [one.item for one in await self._heard.of_scope(scope)]
        count = await self._store.count(scope, statuses=ANY_STATUS) + len(said)
        return count, [*said, *await self._store.list(scope, limit=most)][:most]

    async def find(
        self, scope: Scope, query: str, most: int, where: Filter = EVERYTHING
    ) -> MatchesToForget:
        """What a query means. Raises StoreError, StateError, EmbeddingError."""
        found = await find(
            self._store,
            self._embedder,
            scope,
            query,
            most,
            now=self._clock(),
            where=where,
            said=await self._heard.of_scope(scope),
        )
        lines = await self._lines_of(scope) if where == EVERYTHING else []
        if not lines:
            return found
        sure, near = meant_lines(query, lines, found.meant)
        return found._replace(meant=[*found.meant, *sure], near=[*found.near, *near])

    async def _lines_of(self, scope: Scope) -> list[MemoryItem]:
        """The lines of the working blocks that are the scope's own."""
        if not await self._blocks.exist(scope.tenant):
            return []
        return lines_of(await self._blocks.of_owner(scope))

    async def propose_items(
        self, scope: Scope, found: Sequence[MemoryItem], *, near: Sequence[MemoryItem] = ()
    ) -> Proposal:
        """Propose these of a scope, beside what is only near. Raises StoreError, StateError."""
        items = await self._with_what_goes_too(scope, found)
        ids = {item.id for item in items}
        apart = tuple(item for item in near if item.id not in ids)
        expires_at = self._clock() + timedelta(seconds=VALID_SECONDS)
        token = token_for(self._key, scope, items, expires_at) if items else None
        return Proposal(items, token, expires_at, apart)

    async def confirm(self, scope: Scope, token: str, *, keep: Collection[str] = ()) -> Receipt:
        """Forget the proposed memories of this scope, except the ids in `keep`.

        An earlier version is kept only if its memory is kept.

        Raises:
            InvalidInputError: the token is of another scope or has expired, or a memory's text
                has changed, or a memory took the place of what was said; or of one turn, only some
                passages are in `keep`. Nothing is changed.
            NotForgottenError, StoreError, StateError: as for `forget_ids`.
        """
        proposed, said, stored = await self._read(scope, token)
        ids = [memory_id for memory_id in proposed if memory_id not in keep]
        items = [*stored, *(one.item for one in said)]
        if changed_since(self._key, proposed, items) or await self._learned_since(scope, ids, said):
            raise InvalidInputError("token", "the memories have changed since; propose again")
        check_whole_turns(proposed, keep, {one.item.id: one.turn_id for one in said})
        return await self.forget_ids(scope, ids, kind=ForgetKind.QUERY)

    async def _learned_since(
        self, scope: Scope, ids: Sequence[str], said: Sequence[SaidPassage]
    ) -> bool:
        """Whether one of these passages is gone although it was not forgotten: it was learned."""
        there = {one.item.id for one in said}
        gone = [each for each in ids if is_passage(each) and each not in there]
        marks = {each: {tombstone_of(turn) for turn in turns_in(each)} for each in gone}
        buried = await self._tombstones.among(scope.tenant, sorted(set().union(*marks.values())))
        return any(buried.isdisjoint(names) for names in marks.values())

    async def forget_scope(self, scope: Scope) -> Receipt:
        """Forget all memories, turns, jobs and blocks of the scope. Raises as `forget_ids`."""
        return await self._forget_all(scope, ForgetKind.SCOPE)

    async def forget_tenant(self, tenant: str) -> Receipt:
        """Forget a whole tenant. Raises as `forget_ids`."""
        return await self._forget_all(tenant, ForgetKind.TENANT)

    async def guard(self, scope: Scope) -> WriteGuard:
        """Begin a batch of writes that cannot bring forgotten memories back. Raises StateError."""
        return WriteGuard(scope, await self._tombstones.epoch(scope))

    async def _forget(
        self,
        owner_ref: OwnerRef,
        ids: Sequence[str],
        said: Turns,
        why: TargetReason,
        kind: ForgetKind,
        *,
        asked: Collection[str] = frozenset(),
        lines: Collection[str] = frozenset(),
    ) -> Receipt:
        async def work(ports: InsidePorts) -> Erased:
            eraser = Eraser(ports)
            erased = await eraser.erase_ids(owner_ref, ids, said, why)
            blocks = await eraser.erase_lines(owner_ref, lines, erased, started)
            erased.named.update(BLOCK_PREFIX + name for name in blocks)
            erased.named.update(each for each in lines if block_of(each) in blocks)
            ports.erased.extend(erased.rows.values())
            for scope in said.scopes:
                ports.announce(scope, ChangeKind.SAID)
            # Of passages an interrupted run may have erased the turns without telling of it.
            gone = erased.named.union(erased.rows, filter(is_passage, asked))
            if 0 < len(gone) <= ANNOUNCED_SINGLY:
                ports.announce(tenant, ChangeKind.GONE, ids=sorted(gone))
            elif gone:
                for touched in (*erased.scopes,) or (tenant,):
                    ports.announce(touched, ChangeKind.GONE)
            for scope in erased.scopes:
                ports.announce(scope, ChangeKind.FORGOTTEN)
            return erased

        started, tenant = self._clock(), owning_tenant(owner_ref)
        for scope in said.scopes:
            await self.bus.erase(scope)
        erased = await self._writer.change(work, tenants={tenant}, erases=True)
        for scope in erased.scopes:
            await self.bus.erase(scope)
        gone = said.passages.union(erased.rows, filter(is_block_line, erased.named))
        return self._receipt(erased, kind, started, gone, asked)

    async def _forget_all(self, owner_ref: OwnerRef, kind: ForgetKind) -> Receipt:
        erased, tenant = Erased(more=True), owning_tenant(owner_ref)
        started, first = self._clock(), True

        async def work(ports: InsidePorts) -> Erased:
            done = await Eraser(ports).erase_all(owner_ref, first=first)
            ports.erased.extend(done.rows.values())
            ports.announce(owner_ref, ChangeKind.GONE)
            if not done.more:
                ports.announce(owner_ref, ChangeKind.EMPTIED, ChangeKind.FORGOTTEN)
            return done

        await self.bus.erase(owner_ref)
        if self._keys is not None:
            await self._keys.retire(owner_ref)
        while erased.more:
            erased.add(await self._writer.change(work, tenants={tenant}, erases=True))
            first = False
        if self._keys is not None and not erased.left:
            erased.counts["keys"] = await self._keys.destroy(owner_ref)
        await self.bus.erase(owner_ref)
        return self._receipt(erased, kind, started, frozenset(erased.rows))

    def _receipt(
        self,
        erased: Erased,
        kind: ForgetKind,
        started: datetime,
        gone: frozenset[str],
        asked: Collection[str] = frozenset(),
    ) -> Receipt:
        """The receipt of a run. Raises NotForgottenError."""
        receipt = Receipt(
            id=receipt_id(self._key, kind, gone.union(asked), started),
            kind=kind,
            asked=len(asked),
            missing=len(set(asked) - gone),
            derived=erased.derived,
            caches=self.bus.listeners,
            started_at=started,
            finished_at=self._clock(),
            verified=not erased.left,
            keys=erased.counts["keys"],
            **{name: erased.counts[name] for name in COUNTED},
        )
        log.info("forgotten: %s", receipt.as_dict())
        if erased.left:
            raise NotForgottenError(receipt)
        return receipt

    async def _with_what_goes_too(
        self, scope: Scope, found: Sequence[MemoryItem]
    ) -> tuple[MemoryItem, ...]:
        """What was found, then earlier versions and what else was said in the same turns."""
        passages = await self._heard_of(scope, [i.id for i in found if is_passage(i.id)])
        ids = [i.id for i in found if not (is_passage(i.id) or is_block_line(i.id))]
        erasure = await erasure_of(
            self._store, self._history, scope.tenant, ids, why=TargetReason.MEANT
        )
        rows = {item.id: item for item in found} | erasure.rows
        rows |= {one.item.id: one.item for one in passages}
        shown = (item for item in rows.values() if not is_refiled(item))
        return tuple(item for item in shown if scope.admits(item.scope))
