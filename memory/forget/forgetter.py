"""Forgetting erases memories everywhere and returns a receipt. Nothing else destroys data.

A write that runs at the same time must not bring memories back, however the steps interleave:

    forget                                  write (`guard.WriteGuard`)
    1 by id: bury the ids                   a note the scope's epoch
      a scope: erase the turns' texts,      b read turns and memories, decide
      erase or cancel the jobs, then        c save the checkpoint: fails if the job was cancelled
      raise the scope's epoch               d leave out buried ids, append history, put rows
    2 find the rows, bury their ids         e check again: if the epoch changed or an id is buried,
    3 erase turns, history, counters,         remove the rows that were written
      versions, rows
    4 tell the caches
    5 search until nothing is found; erase found rows again from 2

By id: step 2 finds the rows of a write that ends before 1. A later write sees the tombstone at e
and erases the memory as the forget would have done.
A scope: a job that was claimed before the jobs are erased either fails at c or noted its epoch
before the epoch is raised. If it ends before that, step 2 finds its rows; if later, it sees the new
epoch at e. A job that is enqueued afterwards reads empty turns: that is why the turns are erased
first. A write without a job stores only its caller's text, and the memories it rewrites are buried
at 2. A write to a scope that is being forgotten may be erased with it.
If a writer dies between d and e, the next run of its job completes the work, `sweep` if the job was
cancelled, and `Retention` otherwise.

A forget that crashes can be repeated: versions are erased before the rows that lead to them, and a
missing row is no error. Two forgets may run at the same time.

What was said is forgotten by id as a memory is, with its turn in place of the row (`passages.py`):
the turn is buried at 1 and erased at 3. A job that read it before is stopped at e, where a memory
that names a buried turn counts as buried; one that ended before is found at 2 by the same name.

The turns that a memory names as evidence are erased with it, even if they were only learned in the
same batch, because their texts may still state it. They are learned already, so other memories lose
only evidence. Forgetting single ids does not cancel jobs: that would undo everything else the job
learned. Its checkpoint may hold the text until the job ends, but the tombstone blocks the write.
What a model answered to the scope's dead jobs, which operators can read, is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta

from ..model.ending import is_refiled
from ..model.errors import InvalidInputError
from ..model.filters import EVERYTHING, Filter
from ..model.inputs import is_storable
from ..model.owner import owning_tenant
from ..model.types import MemoryItem, OwnerRef, Scope, utc_now
from ..recall.index.entry import SaidPassage, is_passage, turns_in
from ..recall.index.statement_reader import StatementReader
from ..records.invalidation import ANNOUNCED_SINGLY, InvalidationBus
from ..records.lookup import MemoryLookup
from ..records.parts import Parts
from .buried import buried_among
from .eraser import Eraser
from .falling import mark_of
from .find import MatchesToForget, find
from .guard import WriteGuard
from .history import keep_only
from .passages import Turns, check_whole_turns, tombstone_of
from .probe import Probe
from .proposal import VALID_SECONDS, Proposal, changed_since, read_token, token_for
from .receipt import ForgetKind, NotForgottenError, Receipt, Tally, receipt_id
from .targets import (
    ANY_STATUS,
    Ids,
    Named,
    OfScope,
    OfTenant,
    Target,
    evidence,
    is_fleeting,
    versions_of,
)

log = logging.getLogger(__name__)

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds between two checks. A server may show a row for about a second after its deletion."""


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
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`parts.store` must notify its indexes of writes (`IndexedStore`).

        `bus` announces every erased memory. `heard` finds what was said. `key` signs proposals:
        processes need the same key to confirm each other's. Without one, proposals are valid only
        in this process.
        """
        self._store = parts.store
        self._conversations = parts.state.conversations
        self._jobs = parts.state.jobs
        self._blocks, self._attachments = parts.state.blocks, parts.state.attachments
        self._runs = parts.state.runs
        self._history = parts.history
        self._tombstones = parts.state.tombstones
        self._embedder = parts.embedder
        self._heard = heard
        self._owned = MemoryLookup(parts.store, parts.history, self._heard)
        self.bus = bus or InvalidationBus()
        self._eraser = Eraser(
            parts.store,
            parts.state.conversations,
            parts.history,
            parts.state.tombstones,
            parts.state.usage,
            parts.state.attachments,
            self.bus,
            parts.links,
        )
        self._key = key or secrets.token_bytes(32)
        self._clock = clock
        self._pause = pause

    async def forget_ids(
        self,
        owner_ref: OwnerRef,
        ids: Sequence[str],
        *,
        kind: ForgetKind = ForgetKind.IDS,
        fell: bool = False,
    ) -> Receipt:
        """Forget these memories and their earlier versions; unknown ids count as missing.

        What was made of their words falls with them. `fell`: they only stand on something that was
        forgotten, so the turns that they tell of are kept.

        So do ids of memories that are not of `owner_ref`; none of those is erased or buried. Of a
        passage (`said:...`) the whole turn is forgotten, with all that was said in it; once a
        memory took its place its id is unknown.

        Raises:
            NotForgottenError: a memory is still found.
            StoreError, StateError: a part failed; call it again.
        """
        tenant = owning_tenant(owner_ref)
        storable = [each for each in ids if is_storable(each)]
        possible = await self._owned.among(owner_ref, [e for e in storable if not is_passage(e)])
        asked = [each for each in storable if is_passage(each)]
        passages = await self._heard_of(owner_ref, asked)
        said = Turns.of(passages, asked)
        why = Named.FOUND if kind is ForgetKind.RETENTION else Named.MEANT
        target = Ids(
            self._store,
            tenant,
            possible,
            history=self._history,
            said=said,
            why=Named.FELL if fell else why,
        )
        started, tally = self._clock(), Tally()
        told = evidence(await self._store.get(tenant, possible)) if target.meant else []
        # The marks too, before anything is looked for: an episode may be being written.
        buried = target.ids.union(map(tombstone_of, said.turns), map(mark_of, told))
        await self._eraser.tombstone(tenant, sorted(buried))
        return await self._carry_out(target, tally, kind, started, asked=frozenset(ids))

    async def bury(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Forbid writing memories, whether there are any of these ids or not. Raises StateError.

        For what a job may just be writing of something that is about to be erased.
        """
        await self._eraser.tombstone(tenant, memory_ids)

    async def forget_turns(self, scope: Scope, turn_ids: Sequence[str]) -> Receipt:
        """Forget turns of a scope and the memories that name them, as if each was said.

        Raises as `forget_ids`.
        """
        passages = await self._heard.of_turns(scope.tenant, turn_ids)
        said = Turns.whole(turn_ids, passages, scope)
        target = Ids(self._store, scope.tenant, [], history=self._history, said=said)
        started = self._clock()
        await self._eraser.tombstone(scope.tenant, sorted(map(tombstone_of, said.turns)))
        return await self._carry_out(target, Tally(), ForgetKind.CONVERSATION, started)

    async def erase_turns(self, scope: Scope, turn_ids: Sequence[str]) -> int:
        """Erase the texts of turns of a scope; returns how many held text.

        Memories that were learned from them stay, and what a job that has read them makes of them.
        Caches are told without any turn too: an earlier call may have died before that. Raises
        StateError; call it again.
        """
        passages = await self._heard.of_turns(scope.tenant, turn_ids)
        await self.bus.tell_forgetting(scope)
        erased = await self._eraser.erase_turns(scope.tenant, turn_ids, passages)
        if turn_ids:
            await self._jobs.drop_answers(scope)
        await self._heard.stale([scope])
        await self.bus.announce(scope)
        await self.bus.tell_forgetting(scope)
        return erased

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
        going = [*found.meant, *found.near][:limit] if near else found.meant
        return await self.propose_items(scope, going, near=() if near else found.near)

    async def items_of(self, scope: Scope) -> list[MemoryItem]:
        """All memories of a scope, of any status, with what was said. Raises as `find`."""
        memories = await self._store.list(scope, limit=None, statuses=ANY_STATUS)
        said = [one.item for one in await self._heard.of_scope(scope)]
        return [each for each in (*memories, *said) if not is_refiled(each)]

    async def proposed(self, scope: Scope, token: str) -> list[MemoryItem]:
        """What a token proposes, as far as it is there. Raises as `confirm`."""
        named = read_token(self._key, scope, token, now=self._clock())
        said = await self._heard.named(scope.tenant, filter(is_passage, named))
        stored = [each for each in named if not is_passage(each)]
        items = {each.id: each for each in await self._store.get(scope.tenant, stored)}
        items |= {one.item.id: one.item for one in said}
        return [items[each] for each in named if each in items]

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
        return await find(
            self._store,
            self._embedder,
            scope,
            query,
            most,
            now=self._clock(),
            where=where,
            said=await self._heard.of_scope(scope),
        )

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
        proposed = read_token(self._key, scope, token, now=self._clock())
        ids = [memory_id for memory_id in proposed if memory_id not in keep]
        said = await self._heard.named(scope.tenant, filter(is_passage, proposed))
        items = [one.item for one in said]
        items += await self._store.get(
            scope.tenant, [each for each in proposed if not is_passage(each)]
        )
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
        return await self._forget_all(OfScope(self._store, scope), ForgetKind.SCOPE)

    async def forget_tenant(self, tenant: str) -> Receipt:
        """Forget a whole tenant; reads the whole store twice. Raises as `forget_ids`."""
        return await self._forget_all(OfTenant(self._store, tenant), ForgetKind.TENANT)

    async def sweep(self, scope: Scope, batch: str) -> int:
        """Remove the rows of a cancelled job; returns how many.

        Rows name their job (`Provenance.batch`), except versions whose memory was not written yet:
        those belong to forgotten memories.

        The worker that claims the job next calls this with the job's scope and id before it ends
        the job. The scope was forgotten, so history without a row comes from a job that died before
        it wrote the rows. History of memories that were added and deleted since is removed too.

        Raises:
            StoreError, StateError: call it again to complete it.
        """
        rows = await OfScope(self._store, scope).rows()
        written = {item.id for item in rows if item.provenance.batch == batch}
        gone = written.union(item.id for item in versions_of(written, rows))
        gone |= {item.id for item in await buried_among(self._tombstones, rows)}
        await self._eraser.erase_rows(scope.tenant, [i for i in rows if i.id in gone], Tally())
        await keep_only(self._history, scope, {item.id for item in rows} - gone)
        await self.bus.announce_each(scope, gone)
        return len(gone)

    async def guard(self, scope: Scope, batch: str | None = None) -> WriteGuard:
        """Begin a batch of writes that cannot bring forgotten memories back. Raises StateError."""
        epoch = await self._tombstones.epoch(scope)
        return WriteGuard(scope, batch, epoch, self._eraser)

    async def _forget_all(self, target: OfScope | OfTenant, kind: ForgetKind) -> Receipt:
        started, tally = self._clock(), Tally()
        tally.turns = await self._conversations.erase(target.owner_ref)
        await self.bus.tell_emptied(target.owner_ref)
        tally.jobs = await self._jobs.erase(target.owner_ref)
        tally.blocks = await self._erase_blocks(target.owner_ref)
        await self._runs.erase(target.owner_ref)
        await self._tombstones.close_scope(target.owner_ref)
        return await self._carry_out(target, tally, kind, started)

    async def _erase_blocks(self, owner_ref: OwnerRef) -> int:
        """Erase working blocks, and what an owner attached to others or others to it."""
        found = await self._blocks.of_owner(owner_ref)
        await self._attachments.erase(owner_ref)
        return await self._blocks.delete(owning_tenant(owner_ref), [each.id for each in found])

    async def _carry_out(
        self,
        target: Target,
        tally: Tally,
        kind: ForgetKind,
        started: datetime,
        *,
        asked: Collection[str] = frozenset(),
    ) -> Receipt:
        """Steps 2 to 5."""
        rows = await target.rows()
        await self._listen(target)
        probe = await Probe.of(self._store, self._embedder, rows)
        await self._eraser.erase(target, rows, tally)
        for owner_ref in target.scopes if isinstance(target, Ids) else []:
            await self._jobs.drop_answers(owner_ref)
        await self._tell_of(target, tally)
        await self._listen(target)
        verified = await self._until_gone(target, probe, tally)
        receipt = Receipt(
            id=receipt_id(self._key, kind, tally.ids.union(asked), started),
            kind=kind,
            asked=len(asked),
            missing=len(set(asked) - tally.ids),
            memories=tally.memories,
            versions=tally.versions,
            fell=len(tally.fell),
            history=tally.history,
            turns=tally.turns,
            jobs=tally.jobs,
            blocks=tally.blocks,
            usage=tally.usage,
            links=tally.links,
            entities=tally.entities,
            caches=tally.caches,
            started_at=started,
            finished_at=self._clock(),
            verified=verified,
        )
        log.info("forgotten: %s", receipt.as_dict())
        if not verified:
            raise NotForgottenError(receipt)
        if fleeting := [item.id for item in rows if is_fleeting(item)]:
            # Nobody else knows their ids: a check every minute must not fill the state for good.
            await self._tombstones.remove(owning_tenant(target.owner_ref), fleeting)
        return receipt

    async def _listen(self, target: Target) -> None:
        for owner_ref in target.scopes if isinstance(target, Ids) else [target.owner_ref]:
            await self.bus.tell_forgetting(owner_ref)

    async def _until_gone(self, target: Target, probe: Probe, tally: Tally) -> bool:
        for seconds in (*PAUSES, None):
            rows = await target.rows()
            heard = isinstance(target, Ids) and await self._hears(target)
            if not rows and not heard and not await probe.finds(tally.ids):
                return True
            if rows or heard:
                # Rows of a write that began earlier or in another process.
                await self._eraser.erase(target, rows, tally)
                await self._tell_of(target, tally)
            if seconds is not None:
                await self._pause(seconds)
        return False

    async def _hears(self, target: Ids) -> bool:
        """Whether a fresh read or a recall still finds what was said."""
        said = target.said
        if not said.turns:
            return False
        if await self._heard.of_turns(target.tenant, sorted(said.turns)):
            return True
        return any([await self._heard.shown(each, said.passages) for each in said.scopes])

    async def _tell_of(self, target: Target, tally: Tally) -> None:
        ids = target.ids | target.said.asked | tally.ids if isinstance(target, Ids) else set()
        if isinstance(target, Ids):
            await self._heard.stale(target.said.scopes)
        if isinstance(target, Ids) and len(ids) <= ANNOUNCED_SINGLY:
            await self.bus.announce_each(target.tenant, ids)
        elif isinstance(target, Ids):
            for scope in target.scopes or [target.tenant]:
                await self.bus.announce(scope)
        else:
            await self.bus.announce(target.owner_ref)
        tally.caches = self.bus.listeners

    async def _with_what_goes_too(
        self, scope: Scope, found: Sequence[MemoryItem]
    ) -> tuple[MemoryItem, ...]:
        """What was found, then earlier versions and what else was said in the same turns."""
        passages = await self._heard_of(scope, [i.id for i in found if is_passage(i.id)])
        ids = [item.id for item in found if not is_passage(item.id)]
        target = Ids(self._store, scope.tenant, ids, history=self._history, why=Named.MEANT)
        rows = {item.id: item for item in found} | {i.id: i for i in await target.rows()}
        rows |= {one.item.id: one.item for one in passages}
        shown = (item for item in rows.values() if not is_refiled(item))
        return tuple(item for item in shown if scope.admits(item.scope))
