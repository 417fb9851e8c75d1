"""What the people of a world do, to each other and to themselves."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

from hypothesis import strategies as st

from . import api_steps, block_steps, chat_steps, graph_steps
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
    "write_block": block_steps.write,
    "look_at_blocks": block_steps.look,
    "take_block": block_steps.take,
    "look_at_graph": graph_steps.look,
    "reach_for_entity": graph_steps.reach,
    "join_entities": graph_steps.join,
    "jobs": api_steps.jobs,
    "retention": api_steps.retention,
    "reset": api_steps.reset,
}
_OFTEN = ("say", "say", "say", "learn", "learn", "ask", "add", "keep", "search", "reach_for")
_SELDOM = frozenset({"reset", "delete_all", "forget_all"})
WEIGHTED = (*KINDS, *(k for k in KINDS if k not in _SELDOM), *_OFTEN)

PERSON = st.integers(0, 10)
steps = st.builds(Step, st.sampled_from(WEIGHTED), PERSON, PERSON, st.integers(0, 11))

OF_BLOCKS = ("write_block", "write_block", "look_at_blocks", "take_block", "ask", "forget_all")
block_steps_only = st.builds(Step, st.sampled_from(OF_BLOCKS), PERSON, PERSON, st.integers(0, 11))
"""Of people who work with blocks."""

OF_GRAPHS = (
    *("keep", "keep", "add", "look_at_graph", "look_at_graph", "reach_for_entity"),
    *("join_entities", "update", "forget", "delete", "forget_all"),
)
graph_steps_only = st.builds(Step, st.sampled_from(OF_GRAPHS), PERSON, PERSON, st.integers(0, 11))
"""Of people who ask whom they speak of."""


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
