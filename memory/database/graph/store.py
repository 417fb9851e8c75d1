"""The graph in any SQL database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ...model.graph import EntityMerge, MemoryLinks, Refold
from ...model.types import Scope
from ..scripts import Script, ScriptRunner
from . import connections, counts, link_writes, merge_ledger, pending_links, reading, repair

P = ParamSpec("P")
T = TypeVar("T")
Call = Callable[Concatenate["SqlGraph", P], Coroutine[Any, Any, T]]


def _read(script: Callable[P, Script[T]]) -> Call[P, T]:
    """The method that runs a script that changes nothing."""

    @wraps(script)
    async def call(self: SqlGraph, /, *given: P.args, **named: P.kwargs) -> T:
        return await self.scripts.read(lambda: script(*given, **named))

    return call


def _change(
    script: Callable[P, Script[T]], tenants: Callable[[Any], Collection[str]]
) -> Call[P, T]:
    """The method that runs a script, alone among those that change the same tenants."""

    @wraps(script)
    async def call(self: SqlGraph, /, *given: P.args, **named: P.kwargs) -> T:
        changed = tenants(next(iter((*given, *named.values()))))
        return await self.scripts.change(lambda: script(*given, **named), tenants=changed)

    return call


def _itself(tenant: str) -> Collection[str]:
    return {tenant}


def _its(owner: Scope) -> Collection[str]:
    return {owner.tenant}


def _its_owners(it: Refold | EntityMerge) -> Collection[str]:
    return {it.owner.tenant}


def _theirs(links: Collection[MemoryLinks]) -> Collection[str]:
    return {each.scope.tenant for each in links}


class SqlGraph:
    """Keeps the graph. All methods raise StateError.

    `scope` is a hard predicate on the memories that say something, as in `SqlMemories`: an entity
    is seen if a memory that the scope admits speaks of it, by the names these memories use. Merged
    entities are seen as the one that was kept.
    """

    def __init__(self, scripts: ScriptRunner) -> None:
        self.scripts = scripts
        """Runs scripts in the graph's database."""

    link = _change(link_writes.link, _theirs)
    claim = _change(pending_links.claim, _itself)
    latest = _read(pending_links.latest)
    disturb = _change(pending_links.disturb, _its)
    come_between = _change(pending_links.come_between, _its)
    begin = _change(pending_links.begin, _its)
    goes_on = _read(pending_links.goes_on)
    end = _change(pending_links.end, _its_owners)
    resolve = _read(reading.resolve)
    entities = _read(reading.entities)
    links_of = _read(reading.links_of)
    held_by = _read(reading.held_by)
    memories_of = _read(reading.memories_of)
    relations = _read(reading.relations)
    connected = _read(connections.connected)
    aliases = _read(connections.aliases)
    merge = _change(merge_ledger.merge, _its_owners)
    merges = _read(reading.merges)
    undo_merge = _change(merge_ledger.undo_merge, _itself)
    founded = _read(reading.founded)
    note = _read(reading.note)
    keep_note = _change(link_writes.keep_note, lambda _: ())
    counts = _read(counts.counts)

    async def disturbed(self, *, limit: int) -> list[Scope]:
        # It is asked for often, and is one short statement.
        return pending_links.owners_in(
            await self.scripts.statement(pending_links.DISTURBED, {"limit": limit})
        )

    async def clear(self) -> bool:
        """Drop everything, of all tenants; whether there was anything."""
        return await self.scripts.change(link_writes.clear, tenants=(), erases=True)

    async def mend(self) -> None:
        """Drop what hangs in the air, if nothing was noted: then this was a damaged file."""
        if await self.scripts.read(repair.noteless):
            await self.scripts.change(repair.sweep, tenants=())
