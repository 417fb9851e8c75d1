"""Conversations that end in every way, and how many episodes each is to leave.

`test_conversations.py` requires them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from recollect.memory.jobs.learning import Learning
from recollect.memory.learn import drift_job
from recollect.memory.model.types import utc_now
from tests.memory.jobs.worker_world import OPTIONS, Killed
from tests.memory.learn.doubles import ALICE, Breaks
from tests.memory.upkeep.episodes.world import GAP, IDLE, EpisodeWorld, is_about_episode

LEASE = timedelta(seconds=OPTIONS.lease_seconds + 1)
TEXTS = (
    "I plan a trip to Porto with Ana",
    "We take the train, the budget is 900 EUR",
    "I booked the hotel Miramar for May",
    "Ana wants to see the museum on Tuesday",
    "I still have to ask for days off",
    "My sister will feed the cat",
    "We come back on the 12th",
)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one conversation."""

    way: str
    turns: int
    expected: int
    episodes: int
    calls: int
    """Of the model, for episodes."""
    named: bool
    """Whether each turn is named by an episode."""
    stuck: int
    """Jobs that are neither done nor run by themselves."""

    @property
    def good(self) -> bool:
        return self.episodes == self.expected and self.named and not self.stuck


async def tell(world: EpisodeWorld, turns: int, reason: str | None = None) -> None:
    """So many turns; with a reason each is learned by a job of its own."""
    for number in range(turns):
        await world.say(TEXTS[number % len(TEXTS)], minutes=1)
        if reason:
            await world.due(reason)
            await world.run()


async def silence(world: EpisodeWorld) -> None:
    """Nothing comes, and whoever is there runs what is due."""
    for _ in range(3):
        world.now += IDLE
        await world.sessions().enqueue("idle", idle_seconds=IDLE.total_seconds())
        await world.run()


def learning(world: EpisodeWorld) -> Learning:
    return Learning(world.worker(), world.sessions(), OPTIONS)


async def killed(world: EpisodeWorld, part: str, method: str, *, after: bool, skip: int) -> None:
    """A process that dies at a call of a part; the next one finds its lease expired."""
    broken = Breaks(getattr(world, part), method, Killed(), after=after)
    worker = world.worker(**{part: broken})
    broken.left = 0
    for _ in range(skip):
        await worker.run_one()
    broken.left = 1
    await _to_death(world.run(worker))
    world.now += LEASE
    await world.run()


async def _to_death(running: Awaitable[Any]) -> None:
    try:
        await running
    except Killed:
        return
    raise AssertionError("it was meant to be killed")


async def within(world: EpisodeWorld, turns: int, *, reason: str) -> None:
    await tell(world, turns, reason)
    await silence(world)


async def all_at_once(world: EpisodeWorld, turns: int, *, reason: str) -> None:
    await tell(world, turns)
    await world.due(reason)
    await world.run()


async def by_drift(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns)
    if job := drift_job(await world.conversations.turns("c", 0, turns)):
        await world.jobs.put(job)
        await world.run()
    await silence(world)


async def flushed(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns)
    await learning(world).flush(ALICE)


async def flushed_later(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns, "turns")
    await learning(world).flush(ALICE)


async def shut_down(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns)
    await learning(world).stop(60)


async def shut_down_later(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns, "turns")
    await learning(world).stop(60)


async def left_behind(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns)
    await learning(world).begin()
    await world.run()


async def restarted(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns, "turns")
    await learning(world).begin()
    await silence(world)


async def dies_asking(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns)
    await world.due("idle")
    lines, world.model.lines = world.model.lines, [_dies]
    await _to_death(world.run())
    world.model.lines = lines
    world.now += LEASE
    await world.run()


def _dies(request: Any) -> str:
    if is_about_episode(request):
        raise Killed
    return '{"facts": []}'


def dies(part: str, method: str, *, after: bool, skip: int) -> Way:
    async def way(world: EpisodeWorld, turns: int) -> None:
        await tell(world, turns)
        await world.due("idle")
        await killed(world, part, method, after=after, skip=skip)

    return way


async def resumed(world: EpisodeWorld, turns: int) -> None:
    await all_at_once(world, turns, reason="idle")
    world.now += GAP / 2
    await all_at_once(world, turns, reason="idle")


async def resumed_while_it_waits(world: EpisodeWorld, turns: int) -> None:
    await tell(world, turns, "turns")
    world.now += IDLE / 2
    await tell(world, turns)
    await silence(world)


async def resumed_late(world: EpisodeWorld, turns: int) -> None:
    await all_at_once(world, turns, reason="idle")
    world.now += 2 * GAP
    await all_at_once(world, turns, reason="idle")


async def two_replicas(world: EpisodeWorld, turns: int) -> None:
    one, other = world.worker(), world.worker()
    for number in range(turns):
        await world.say(TEXTS[number % len(TEXTS)], minutes=1)
        await world.due("turns")
        await asyncio.gather(world.run(one), world.run(other))
    await world.due("idle")
    world.now += IDLE
    await asyncio.gather(world.run(one), world.run(other))


async def small_talk(world: EpisodeWorld, turns: int) -> None:
    for _ in range(turns):
        await world.say("What nice weather today", minutes=1)
    await world.due("idle")
    await world.run()
    await silence(world)


async def turns_serious(world: EpisodeWorld, turns: int) -> None:
    await small_talk(world, turns)
    await all_at_once(world, 1, reason="idle")


async def forgotten_model(world: EpisodeWorld, turns: int) -> None:
    """No model is there when the conversation is over, and one is there an hour later."""
    model = world.model

    async def only_for_learning(_tenant: str, name: str) -> Any:
        return model if name else None

    models, world.models = world.models, only_for_learning
    await all_at_once(world, turns, reason="idle")
    world.models = models
    world.now += timedelta(hours=1)
    await world.run()


Way = Callable[[EpisodeWorld, int], Awaitable[None]]
_ONCE: dict[str, Way] = {
    "every N turns, then silence": lambda w, n: within(w, n, reason="turns"),
    "tokens, then silence": lambda w, n: within(w, n, reason="tokens"),
    "drift, then silence": by_drift,
    "idle": lambda w, n: all_at_once(w, n, reason="idle"),
    "flush": flushed,
    "flush after all was learned": flushed_later,
    "shutdown": shut_down,
    "shutdown after all was learned": shut_down_later,
    "found at the next start": left_behind,
    "restarted while it waited": restarted,
    "killed while the model is asked": dies_asking,
    "killed before its plan is kept": dies("jobs", "save_checkpoint", after=False, skip=1),
    "killed after its plan is kept": dies("jobs", "save_checkpoint", after=True, skip=1),
    "killed before its job ends": dies("jobs", "ack", after=False, skip=1),
    "two replicas": two_replicas,
    "resumed within the gap": resumed,
    "resumed while it waited": resumed_while_it_waits,
    "no model for an hour": forgotten_model,
}
WAYS: list[tuple[str, Way, int, int]] = [
    *((name, way, turns, 1) for name, way in _ONCE.items() for turns in (1, 6)),
    *(("resumed after the gap", resumed_late, turns, 2) for turns in (1, 6)),
    *(("small talk", small_talk, turns, 0) for turns in (1, 3)),
    *(("small talk that turns serious", turns_serious, turns, 1) for turns in (1, 3)),
]
"""By name: what happens, the turns, and the episodes that are to be left."""


async def ended(name: str, way: Way, turns: int, expected: int) -> Result:
    """Have a conversation end in a way, and look at what it left."""
    world = EpisodeWorld()
    world.now = utc_now()
    await way(world, turns)
    told = await world.told()
    named = {turn for each in told for turn in each.provenance.turn_ids}
    said = {turn.id for turn in await world.conversations.turns("c", 0, 10_000)}
    return Result(
        way=name,
        turns=len(said),
        expected=expected,
        episodes=len(told),
        calls=world.calls,
        named=named == said or not expected,
        stuck=await world.open_jobs(),
    )
