"""What the people of a world do, to each other and to themselves."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

from hypothesis import strategies as st

from . import api_steps, chat_steps
from .world import World

Work = Callable[[World, "Step"], Awaitable[None]]


class Step(NamedTuple):
    """`who` does something, perhaps about `other`; `number` chooses among the ways of doing it."""

    kind: str
    who: int
    other: int
    number: int


KINDS: dict[str, Work] = {
    "say": chat_steps.say,
    "ask": chat_steps.ask,
    "tools": chat_steps.tools,
    "go_on": chat_steps.go_on,
    "learn": chat_steps.learn,
    "add": api_steps.add,
    "keep": api_steps.keep,
    "search": api_steps.search,
    "explain": api_steps.explain,
    "list": api_steps.list_all,
    "reach_for": api_steps.reach_for,
    "update": api_steps.update,
    "validate": api_steps.validate,
    "delete": api_steps.delete,
    "propose": api_steps.propose,
    "confirm": api_steps.confirm,
    "forget": api_steps.forget,
    "forget_all": api_steps.forget_all,
    "delete_all": api_steps.delete_all,
    "jobs": api_steps.jobs,
    "retention": api_steps.retention,
    "reset": api_steps.reset,
}
_OFTEN = ("say", "say", "say", "learn", "learn", "ask", "add", "keep", "search", "reach_for")
_SELDOM = frozenset({"reset", "delete_all", "forget_all"})
WEIGHTED = (*KINDS, *(k for k in KINDS if k not in _SELDOM), *_OFTEN)

PERSON = st.integers(0, 10)
steps = st.builds(Step, st.sampled_from(WEIGHTED), PERSON, PERSON, st.integers(0, 11))


def rolled(seed: int, length: int) -> list[Step]:
    """What people do who roll dice."""
    dice = random.Random(seed)
    roll = dice.randrange
    return [Step(dice.choice(WEIGHTED), roll(11), roll(11), roll(12)) for _ in range(length)]


async def take(world: World, plan: Iterable[Step]) -> None:
    """Do it all, listening after each step, and look through the books at the end.

    Raises:
        LeakError, CrossedError: somebody was shown, lost or was given what is another's.
    """
    for step in plan:
        world.number += 1
        await KINDS[step.kind](world, step)
        world.ears.overhear()
    world.speaker = world.people.scopes[0]
    await chat_steps.drain(world)
    await world.audit()
