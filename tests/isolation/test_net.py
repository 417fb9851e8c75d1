"""The net catches: each way of breaking isolation on purpose is noticed, and nothing else is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from recollect.memory.database.jobs import SqlJobs
from recollect.memory.util.lru import Lru
from recollect.proxy.chat.threads import Threads
from tests.support.budget import FACTOR, WHOLE, sampled
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories
from tests.support.state import in_memory_state

from .ears import LeakError
from .people import people
from .steps import KINDS, rolled, take
from .witness import CrossedError
from .world import EMBEDDER, Parts, World

PLANS = range(26, 54)
"""The first of them shows most of what is broken below."""
STEPS = 60
FEW = 8


async def caught(broken: Callable[[], Parts]) -> str:
    """The first complaint, if there is one within so many plans."""
    for seed in PLANS:
        try:
            async with World(people(seed, ("alice", "Alice")), broken()) as world:
                await take(world, rolled(seed, STEPS))
        except (LeakError, CrossedError) as complaint:
            return f"{type(complaint).__name__}: {complaint}"
    return ""


class Wide(InMemoryMemories):
    """Forgets the user, the agent and the run when it lists."""

    def __init__(self) -> None:
        super().__init__(dim=EMBEDDER.dim)

    async def list(self, scope, **more):
        rows = await self.scan(after=None, limit=100_000)
        scopes = {row.item.scope for row in rows if row.item.scope.tenant == scope.tenant}
        found = [await super(Wide, self).list(one, **more) for one in sorted(scopes, key=repr)]
        return list({item.id: item for items in found for item in items}.values())


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


def of_everybody():
    """A state whose jobs are listed for everybody; in its own database, as others are."""
    state = in_memory_state()
    return replace(state, jobs=EverybodysJobs(state.scripts))


BROKEN = {
    "list": lambda: Parts(store=Wide()),
    "threads": lambda: Parts(threads=EverybodysThreads()),
    "jobs": lambda: Parts(state=of_everybody()),
}


@rows("part", BROKEN)
async def test_a_broken_part_is_caught(part):
    """A part that forgets whose something is does not get through."""
    assert await caught(BROKEN[part])


async def test_proposals_without_their_scope_are_caught(monkeypatch):
    """A token that anybody may confirm is one too many."""
    monkeypatch.setattr(
        "recollect.memory.forget.proposal._signature", lambda _key, _scope, _payload: "s"
    )
    assert await caught(Parts)


async def test_the_same_plans_are_quiet_otherwise():
    """Nothing is caught where nothing is broken, and every kind of step does what it is for.

    As many plans as that takes, and some more; all of them in `make soak`. test_engine.py tries the
    other positions.
    """
    expected = {*KINDS, "retry", "learned ADD", "changed"}
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
