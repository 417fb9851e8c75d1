"""Forgetting: the one thing that destroys, everywhere, and says what it did.

Nothing that runs meanwhile may bring anything back, in whatever order the steps of the two fall:

    forget                                  write (`guard.WriteGuard`)
    1 by id: bury the ids                   a note the scope's epoch
      a scope: erase the turns' texts,      b read turns and memories, decide
      erase or cancel the jobs, then        c save the checkpoint: fails if the job was cancelled
      count the scope                       d leave out what is buried, append history, put rows
    2 find the rows, bury their ids         e look again: if the epoch changed or an id is buried,
    3 erase turns, history, versions, rows    remove what was written
    4 tell the caches
    5 look until nothing is found, erasing it again from 2

By id: a write that ends before 1 is found at 2; one that ends later sees the tombstone at e, and
does with the memory what the forget would have done, had it come first.
A scope: a job that was claimed before the jobs are erased fails at c, or else has noted its epoch
before the scope is counted. Then, if it ends before that, 2 finds its rows; if later, it sees the
change at e. A job that is put afterwards reads turns that are empty already: that is why they come
first. A write without a job brings only what its caller said just now, and what it rewrites is
buried at 2. What is written to a scope while it is being forgotten may go with it.
A writer that dies between d and e is completed by who repeats its job, by `sweep` if the job was
cancelled, and by `Retention` otherwise.

A crash in the middle leaves less than there was, and doing the same again completes it: versions
go before the rows that lead to them, and what is gone is no error. Two at once do no harm.

The turns a memory names as its evidence are erased with it, also where it only names those that it
was learned together with: their texts would still say it, and they are learned already, so that
nothing but evidence is lost for the others. Jobs are not touched when single ids are forgotten:
cancelling one would undo what else it learned, and its checkpoint, which may hold the text until
the job ends, cannot be carried out any more.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta

from ..errors import InvalidInputError
from ..gone import TOLD_SINGLY, Gone
from ..inputs import is_storable
from ..parts import Parts
from ..types import MemoryItem, Scope, utc_now
from .buried import buried_among
from .eraser import Eraser
from .find import find
from .guard import WriteGuard
from .probe import Probe
from .proposal import VALID_SECONDS, Proposal, changed_since, read_token, token_for
from .receipt import Kind, NotForgottenError, Receipt, Tally, receipt_id
from .redact import keep_only
from .targets import Ids, OfScope, OfTenant, Target, versions_of

log = logging.getLogger(__name__)

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds between two looks. A server may show a row for about a second after its deletion."""


class Forgetter:
    """Erases memories with everything that says them."""

    def __init__(
        self,
        parts: Parts,
        *,
        gone: Gone | None = None,
        key: bytes | None = None,
        clock: Callable[[], datetime] = utc_now,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """The parts' store is the one that tells its indexes of writes (`IndexedStore`).

        `gone` is told of everything that goes. `key` signs proposals: processes that confirm each
        other's need the same one; without, one is made up, and proposals die with the process.
        """
        self._store = parts.store
        self._conversations = parts.state.conversations
        self._jobs = parts.state.jobs
        self._history = parts.history
        self._tombstones = parts.state.tombstones
        self._embedder = parts.embedder
        self.gone = gone or Gone()
        self._key = key or secrets.token_bytes(32)
        self._clock = clock
        self._pause = pause

    async def forget_ids(
        self, tenant: str, ids: Sequence[str], *, kind: Kind = Kind.IDS
    ) -> Receipt:
        """Forget these memories and their earlier versions; unknown ids are counted as missing.

        Raises:
            NotForgottenError: it is still found.
            StoreError, StateError: a part failed; forget the same again.
        """
        possible = [each for each in ids if is_storable(each)]
        target = Ids(self._store, tenant, possible, history=self._history)
        started, tally = self._clock(), Tally()
        await self._eraser.bury(tenant, sorted(target.ids))
        return await self._carry_out(target, tally, kind, started, asked=frozenset(ids))

    async def propose(self, scope: Scope, query: str, limit: int = 20) -> Proposal:
        """What `confirm` would forget: the memories about a query, of any status.

        With each come its earlier versions, beyond `limit`. Nothing is changed.

        Raises:
            InvalidInputError: there is no query.
            StoreError, EmbeddingError: it cannot be searched.
        """
        if not query.strip():
            raise InvalidInputError("query", "expected some text")
        found = await find(self._store, self._embedder, scope, query, limit, now=self._clock())
        items = await self._with_versions(scope, found)
        expires_at = self._clock() + timedelta(seconds=VALID_SECONDS)
        token = token_for(self._key, scope, items, expires_at) if items else None
        return Proposal(items, token, expires_at)

    async def confirm(self, scope: Scope, token: str, *, keep: Collection[str] = ()) -> Receipt:
        """Forget what was proposed for this scope, but for the ids in `keep`.

        An earlier version is not kept if its memory is not.

        Raises:
            InvalidInputError: the token is none of this scope's, has expired, or a memory says
                something else by now. Nothing is changed.
            NotForgottenError, StoreError, StateError: as for `forget_ids`.
        """
        proposed = read_token(self._key, scope, token, now=self._clock())
        if changed_since(self._key, proposed, await self._store.get(scope.tenant, list(proposed))):
            raise InvalidInputError("token", "the memories have changed since; propose again")
        ids = [memory_id for memory_id in proposed if memory_id not in keep]
        return await self.forget_ids(scope.tenant, ids, kind=Kind.QUERY)

    async def forget_scope(self, scope: Scope) -> Receipt:
        """Forget all that the scope admits, and what its conversations still have to teach.

        Raises as `forget_ids`.
        """
        return await self._forget_all(OfScope(self._store, scope), Kind.SCOPE)

    async def forget_tenant(self, tenant: str) -> Receipt:
        """The same for everybody of a tenant; reads the whole store twice. Raises as above."""
        return await self._forget_all(OfTenant(self._store, tenant), Kind.TENANT)

    async def sweep(self, scope: Scope, batch: str) -> int:
        """Remove what a cancelled job wrote; how many rows.

        What it wrote names it (`Provenance.batch`), but for versions whose memory it did not come
        to: these are of memories that were forgotten.

        To be called by who claims the job next, with the job's scope and id, before it is ended.
        The scope was forgotten, so history without a row is what the job left that died before it
        wrote the rows. That of what was said since and deleted again by now goes with it.

        Raises:
            StoreError, StateError: the same again completes it.
        """
        rows = await OfScope(self._store, scope).rows()
        written = {item.id for item in rows if item.provenance.batch == batch}
        gone = written.union(item.id for item in versions_of(written, rows))
        gone |= {item.id for item in await buried_among(self._tombstones, rows)}
        await self._eraser.erase_rows(scope.tenant, [i for i in rows if i.id in gone], Tally())
        await keep_only(self._history, scope, {item.id for item in rows} - gone)
        await self.gone.tell_of(scope, gone)
        return len(gone)

    async def guard(self, scope: Scope, batch: str | None = None) -> WriteGuard:
        """Begin a batch of writes to this scope that brings nothing back. Raises StateError."""
        epoch = await self._tombstones.epoch(scope)
        return WriteGuard(scope, batch, epoch, self._eraser, self.gone.tell_of)

    async def _forget_all(self, target: OfScope | OfTenant, kind: Kind) -> Receipt:
        started, tally = self._clock(), Tally()
        tally.turns = await self._conversations.erase(target.whose)
        tally.jobs = await self._jobs.erase(target.whose)
        await self._tombstones.close_scope(target.whose)
        return await self._carry_out(target, tally, kind, started)

    async def _carry_out(
        self,
        target: Target,
        tally: Tally,
        kind: Kind,
        started: datetime,
        *,
        asked: Collection[str] = frozenset(),
    ) -> Receipt:
        """Steps 2 to 5."""
        rows = await target.rows()
        probe = await Probe.of(self._store, self._embedder, rows)
        await self._eraser.erase(target, rows, tally)
        await self._tell_of(target, tally)
        verified = await self._until_gone(target, probe, tally)
        receipt = self._receipt(tally, kind, started, asked, verified=verified)
        log.info("forgotten: %s", receipt.as_dict())
        if not verified:
            raise NotForgottenError(receipt)
        return receipt

    async def _until_gone(self, target: Target, probe: Probe, tally: Tally) -> bool:
        for seconds in (*PAUSES, None):
            rows = await target.rows()
            if not rows and not await probe.finds(tally.ids):
                return True
            if rows:
                # A write that had begun before, or one of another process.
                await self._eraser.erase(target, rows, tally)
                await self._tell_of(target, tally)
            if seconds is not None:
                await self._pause(seconds)
        return False

    async def _tell_of(self, target: Target, tally: Tally) -> None:
        ids = target.ids | tally.ids if isinstance(target, Ids) else set()
        if isinstance(target, Ids) and len(ids) <= TOLD_SINGLY:
            await self.gone.tell_of(target.tenant, ids)
        elif isinstance(target, Ids):
            for scope in target.scopes or [target.tenant]:
                await self.gone.tell(scope)
        else:
            await self.gone.tell(target.whose)
        tally.caches = self.gone.listeners

    async def _with_versions(
        self, scope: Scope, found: Sequence[MemoryItem]
    ) -> tuple[MemoryItem, ...]:
        ids = [item.id for item in found]
        target = Ids(self._store, scope.tenant, ids, history=self._history)
        rows = {item.id: item for item in found} | {i.id: i for i in await target.rows()}
        return tuple(item for item in rows.values() if scope.admits(item.scope))

    def _receipt(
        self,
        tally: Tally,
        kind: Kind,
        started: datetime,
        asked: Collection[str],
        *,
        verified: bool,
    ) -> Receipt:
        return Receipt(
            id=receipt_id(self._key, kind, tally.ids.union(asked), started),
            kind=kind,
            asked=len(asked),
            missing=len(set(asked) - tally.ids),
            memories=tally.memories,
            versions=tally.versions,
            history=tally.history,
            turns=tally.turns,
            jobs=tally.jobs,
            caches=tally.caches,
            started_at=started,
            finished_at=self._clock(),
            verified=verified,
        )

    @property
    def _eraser(self) -> Eraser:
        return Eraser(self._store, self._conversations, self._history, self._tombstones)
