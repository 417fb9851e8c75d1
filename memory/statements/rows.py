"""Statements as rows beside the memories: all of them, or by ids.

Whatever many turns say is noted with them: cutting a text costs a millisecond, and years of chats
have thousands. Nothing else is written.

The cache has what can be recalled; these rows are everything that was said and is no memory yet, as
far as it is kept. Whoever lists, counts, exports or forgets reads them here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from datetime import datetime

from ..database.conversations import SqlConversations
from ..model.errors import StateError
from ..model.row_kinds import turns_in
from ..model.types import OwnerRef, Recent, Scope
from ..recall.index.entry import SaidPassage
from ..recall.index.statement_reader import not_of
from .passages import told_count
from .statement_cache import StatementCache, is_little

log = logging.getLogger(__name__)
MOST_TURNS = 50_000
"""Newest turns of a scope that are read."""
PAGE = 200
"""Turns that are read at a time where not all of them are needed at once."""


class StatementRows:
    """Finds the passages of turns, in the state and in the cache.

    All methods raise StateError.
    """

    def __init__(self, conversations: SqlConversations, cache: StatementCache) -> None:
        self._conversations = conversations
        self._cache = cache

    async def of_scope(self, scope: Scope) -> list[SaidPassage]:
        """What was said in a scope, newest first."""
        return await self._read(await self._conversations.recent(scope, limit=MOST_TURNS))

    async def told_in(
        self, scope: Scope, *, until: datetime | None = None
    ) -> AsyncIterator[list[SaidPassage]]:
        """The same, without what was only asked or handed over; some turns at a time."""
        turns: Sequence[Recent] = ()
        while not turns or len(turns) == PAGE:
            after = turns[-1].turn.id if turns else ""
            turns = await self._conversations.recent(scope, limit=PAGE, until=until, after=after)
            if not turns:
                return
            yield [one for one in await self._read(turns) if one.is_told]

    async def count_told(
        self, scope: Scope, learned: Collection[str], *, until: datetime | None = None
    ) -> int:
        """How many of them memories of the turns in `learned` do not tell."""
        rows = await self._conversations.notes(scope, told_count, until=until)
        number = sum(one.left if turn in learned else one.told for turn, one in rows if one)
        unread = [turn for turn, one in rows if one is None]
        for at in range(0, len(unread), PAGE):
            found = await self.of_turns(scope.tenant, unread[at : at + PAGE])
            number += len(not_of(learned, [one for one in found if one.is_told]))
        return number

    async def recalled_in(self, scope: Scope) -> AsyncIterator[list[SaidPassage]]:
        """Of that, what can be recalled."""
        yield _admitted(scope, (await self._cache.get(scope)).told)

    async def of_tenant(self, tenant: str) -> AsyncIterator[list[SaidPassage]]:
        """What was said in a tenant, one scope after the other."""
        async for turns in self._pages(tenant):
            yield await self._read(turns)

    async def turns_of(self, owner_ref: OwnerRef) -> AsyncIterator[list[Recent]]:
        """The turns in which something was said, oldest first, one scope after the other."""
        async for turns in self._pages(owner_ref):
            telling = {one.turn_id for one in await self._read(turns)}
            if telling:
                yield [each for each in turns if each.turn.id in telling]

    async def _pages(self, owner_ref: OwnerRef) -> AsyncIterator[list[Recent]]:
        """The turns of an owner, some at a time: of all of them the ids only are kept."""
        for scope in sorted(await self._conversations.scopes(owner_ref), key=str):
            ids = await self._conversations.recent_ids(scope, limit=MOST_TURNS)
            for end in range(len(ids), 0, -PAGE):
                some = ids[max(end - PAGE, 0) : end]
                found = await self._conversations.named(scope.tenant, some)
                by_id = {each.turn.id: each for each in found}
                # A narrower scope has its own turn.
                own = [by_id[one] for one in reversed(some) if one in by_id]
                if own := [each for each in own if each.turn.scope == scope]:
                    yield own

    async def tenants(self) -> frozenset[str]:
        """The tenants with turns that are no memories yet."""
        return frozenset(scope.tenant for scope in await self._conversations.scopes(None))

    async def of_turns(self, tenant: str, turn_ids: Sequence[str]) -> list[SaidPassage]:
        """The passages of turns of a tenant."""
        if not turn_ids:
            return []
        return await self._read(await self._conversations.named(tenant, turn_ids))

    async def named(self, tenant: str, ids: Iterable[str]) -> list[SaidPassage]:
        """The passages of a tenant with these ids."""
        wanted = set(ids)
        turns = {turn for one in wanted for turn in turns_in(one)}
        found = await self.of_turns(tenant, sorted(turns))
        return [one for one in found if one.item.id in wanted]

    async def shown(self, scope: Scope, ids: Iterable[str]) -> bool:
        """Whether any of these is among the recent statements of a scope's user."""
        statements = await self._cache.get(scope)
        return any(one in statements.by_id for one in ids)

    async def stale(self, scopes: Iterable[Scope]) -> None:
        """Read the statements of these scopes again, in every process."""
        for scope in scopes:
            await self._cache.stale(scope)

    async def _read(self, recent: Sequence[Recent]) -> list[SaidPassage]:
        if is_little(recent):
            return self._cache.read(recent)
        found, new = await asyncio.to_thread(self._cache.noted, recent)
        for at in range(0, len(new), PAGE):
            await self._note(new[at : at + PAGE])
        return found

    async def _note(self, new: Sequence[tuple[Recent, str]]) -> None:
        try:
            await self._conversations.annotate(new)
        except StateError as error:
            log.warning("what turns say is read again the next time: %s", error)


def _admitted(scope: Scope, passages: Sequence[SaidPassage]) -> list[SaidPassage]:
    """Those that a scope may see. Few scopes are told apart: a user has thousands of passages."""
    known: dict[tuple[str | None, ...], bool] = {}
    found = []
    for one in passages:
        of = one.entry.item.scope
        key = of.tenant, of.user_id, of.agent_id, of.run_id
        if key not in known:
            known[key] = scope.admits(of)
        if known[key]:
            found.append(one)
    return found
