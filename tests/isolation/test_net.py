"""The net catches: each way of breaking isolation on purpose is noticed, and nothing else is."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from recollect.filters.capture import conversation_id_of
from recollect.memory.database.history import RECORD
from recollect.memory.database.jobs import SqlJobs
from recollect.memory.forget.receipt import NotForgottenError
from recollect.memory.model.types import Scope
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.util.lru import Lru
from recollect.proxy.chat.threads import Threads
from tests.support.budget import FACTOR, WHOLE, sampled
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.state import InMemoryHistory, in_memory_state

from .ears import LeakError
from .people import people
from .steps import KINDS, rolled, take
from .witness import CrossedError
from .world import EMBEDDER, Parts, World

PLANS = range(26, 54)
"""The first of them shows most of what is broken below."""
STEPS = 60
FEW = 8


async def caught(
    broken: Callable[[], Parts],
    *,
    users=("alice", "Alice"),
    position="tail",
    most=25_000,
    ends: tuple[type[Exception], ...] = (),
) -> str:
    """The first complaint, if there is one within so many plans; `ends` only end a plan."""
    for seed in PLANS:
        cast = people(seed, users)
        try:
            async with World(cast, broken(), position=position, max_memories=most) as world:
                await take(world, rolled(seed, STEPS))
        except (LeakError, CrossedError) as complaint:
            return f"{type(complaint).__name__}: {complaint}"
        except ends:
            continue
    return ""


class Broken(InMemoryMemories):
    """A store in memory, of which a method is replaced."""

    def __init__(self) -> None:
        super().__init__(dim=EMBEDDER.dim)

    async def rows(self):
        return await self.scan(after=None, limit=100_000)


class Wide(Broken):
    """Forgets the user, the agent and the run in one of its reads."""

    def __init__(self, read: str) -> None:
        super().__init__()
        self._read = read

    async def _each(self, read, scope):
        """The same question for everybody of the tenant."""
        scopes = {row.item.scope for row in await self.rows()}
        everybody = {each for each in scopes if each.tenant == scope.tenant}
        asked = everybody if self._read == read else {scope}
        return sorted(asked, key=repr)

    async def search(self, scope, vector, **more):
        found = [
            await super(Wide, self).search(s, vector, **more)
            for s in await self._each("search", scope)
        ]
        return _once([hit for hits in found for hit in hits])

    async def list(self, scope, **more):
        found = [await super(Wide, self).list(s, **more) for s in await self._each("list", scope)]
        return list({item.id: item for items in found for item in items}.values())

    async def load(self, scope, **more):
        found = [await super(Wide, self).load(s, **more) for s in await self._each("load", scope)]
        return _once([row for rows in found for row in rows])


def _once(hits):
    return list({hit.item.id: hit for hit in hits}.values())


class AnyTenant(Broken):
    """Finds an id in whatever tenant."""

    async def get(self, tenant, ids):
        return [row.item for row in await self.rows() if row.item.id in ids]


class Careless(Broken):
    """Takes ids for the same that only look alike."""

    async def _alike(self, scope):
        known = {row.item.scope for row in await self.rows()}
        return sorted({s for s in known if _folded(s) == _folded(scope)} | {scope}, key=repr)

    async def list(self, scope, **more):
        found = [await super(Careless, self).list(s, **more) for s in await self._alike(scope)]
        return list({item.id: item for items in found for item in items}.values())

    async def load(self, scope, **more):
        found = [await super(Careless, self).load(s, **more) for s in await self._alike(scope)]
        return _once([row for rows in found for row in rows])


def _folded(scope: Scope) -> Scope:
    return replace(scope, user_id=scope.user_id and scope.user_id.casefold())


class Talkative(Broken):
    """Logs what it is given."""

    async def put(self, memories):
        logging.getLogger("recollect.memory.memories").info("keeping %s", memories[0].item.text)
        await super().put(memories)


class EverybodysThreads(Threads):
    """Finds an answer by its id alone."""

    def __init__(self) -> None:
        super().__init__()
        self._all: Lru[str, object] = Lru(10_000)

    def find(self, scope, response_id):
        return self._all.get(response_id)

    def note(self, scope, response_id, thread):
        self._all.put(response_id, thread)


class EverybodysJobs(SqlJobs):
    """Lists and revives without asking whose."""

    async def reports(self, owner_ref=None, **more):
        return await super().reports(**more)

    async def revive(self, job_id, *, owner_ref=None):
        return await super().revive(job_id)


class EverybodysHistory(InMemoryHistory):
    """Finds a record by its memory alone."""

    async def of(self, tenant, memory_id):
        sql = f"SELECT {RECORD.names} FROM memory_history WHERE memory_id = :id"  # noqa: S608 - a constant
        return await self.scripts.rows(sql, {"id": memory_id}, RECORD.read)


def of_everybody():
    """A state whose jobs are listed for everybody; in its own database, as others are."""
    state = in_memory_state()
    return replace(state, jobs=EverybodysJobs(state.scripts))


BROKEN = {
    "list": lambda: Parts(store=Wide("list")),
    "names": lambda: Parts(store=Careless()),
    "log": lambda: Parts(store=Talkative()),
    "threads": lambda: Parts(threads=EverybodysThreads()),
    "jobs": lambda: Parts(state=of_everybody()),
}
LOOKED_AT_AGAIN = {
    "get": lambda: Parts(store=AnyTenant()),
    "history": lambda: Parts(history=EverybodysHistory()),
}
"""Of what they find by an id, `MemoryLookup` checks whose it is."""


@rows("part", BROKEN)
async def test_a_broken_part_is_caught(part):
    """A part that forgets whose something is does not get through."""
    assert await caught(BROKEN[part])


@pytest.mark.parametrize("part", LOOKED_AT_AGAIN)
async def test_a_broken_part_is_caught_without_the_second_look(part, monkeypatch):
    """Only without it a part that finds any tenant's memory by its id shows anything."""
    monkeypatch.setattr("recollect.memory.records.lookup.covers", lambda *_: True)
    # A memory of another tenant is found by its id, but is not there to be erased.
    assert await caught(LOOKED_AT_AGAIN[part], ends=(NotForgottenError,))


@pytest.mark.parametrize("read", ["load", "search"])
async def test_an_index_that_shows_everybody_is_caught(monkeypatch, read):
    """It looks at the scope of each memory again: only without that a wide read shows anything."""
    admitted = UserIndex.admitted

    def anybodys(index, _scope):
        return np.any([admitted(index, scope) for scope in [_scope, *index._scopes]], axis=0)

    monkeypatch.setattr(UserIndex, "admitted", anybodys)
    assert await caught(lambda: Parts(store=Wide(read)), most=1 if read == "search" else 25_000)


async def test_conversations_without_their_scope_are_caught(monkeypatch):
    """Two people who name the same session would share a conversation."""
    nobody = Scope(tenant="t", user_id="u")
    monkeypatch.setattr(
        "recollect.proxy.chat.threads.conversation_id_of",
        lambda _scope, session, messages: conversation_id_of(nobody, session, messages),
    )
    assert await caught(Parts)


async def test_proposals_without_their_scope_are_caught(monkeypatch):
    """A token that anybody may confirm is one too many."""
    monkeypatch.setattr(
        "recollect.memory.forget.proposal._signature", lambda _key, _scope, _payload: "s"
    )
    assert await caught(Parts)


async def test_decisions_across_scopes_are_caught(monkeypatch):
    """A worker that writes to its tenant's first user, whoever spoke."""

    def first(job, turns):
        batch = original(job, turns)
        return replace(batch, scope=Scope(tenant=batch.scope.tenant, user_id="alice"))

    from recollect.memory.jobs import worker

    original = worker._batch
    monkeypatch.setattr(worker, "_batch", first)
    assert await caught(Parts)


async def test_the_same_plans_are_quiet_otherwise():
    """Nothing is caught where nothing is broken, and every kind of step does what it is for.

    As many plans as that takes, and some more; all of them in `make soak`. test_engine.py tries the
    other positions.
    """
    of_blocks = {kind for kind in KINDS if kind.endswith(("_block", "_blocks"))}
    expected = {*KINDS, "retry", "learned ADD", "blocks", "changed"} - of_blocks
    done: Counter[str] = Counter()
    for number, seed in enumerate(sampled(PLANS)):
        if number >= FEW and expected <= set(done) and FACTOR < WHOLE:
            return
        async with World(people(seed, ("alice", "Alice")), Parts()) as world:
            await take(world, rolled(seed, STEPS))
            done.update(world.done)
            done["changed"] += world.done["learned UPDATE"] + world.done["learned DELETE"]
        done = +done
    if len(sampled(PLANS)) == len(PLANS):
        assert expected <= set(done), f"never: {expected - set(done)}"
