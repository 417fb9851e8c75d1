"""What learning from earlier chats costs, and the budget that does it (`AsyncMemory.jobs`)."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..database.unread_turns import unread_turns
from ..engine.engine import Engine
from ..jobs.budgets import LearningCost, calls_each, cost_of, parts_of
from ..model.errors import SaidOnlyError
from ..model.types import Scope
from .showing import shown_as

MOST_CALLS = 100_000
DEFAULT_CALLS = 50


class CostDict(TypedDict):
    """What it takes to learn, about: each call may need another where facts disagree."""

    conversations: int
    turns: int
    calls: int
    tokens: int


class EarlierDict(TypedDict):
    """What no model has read of a user's chats."""

    unread: CostDict
    """All of it."""
    covered: CostDict
    """What so many calls are enough for, the newest conversations first."""
    left: int
    """Calls that are left of a budget that is being spent; 0 without one."""
    spending: bool
    """Whether one is being spent: its last call may still be made when none is left."""


async def earlier_of(engine: Engine, scope: Scope, calls: int) -> EarlierDict:
    """What is unread of a scope, and what so many calls cover. Raises StateError."""
    state, each = engine.parts.state, calls_each(engine.options.learn)
    parts = parts_of(await unread_turns(state.scripts, scope))
    left = await engine.background.worker.budgets.open(state.jobs, scope)
    covered = parts[: calls // each]
    return EarlierDict(
        unread=_dict(cost_of(parts, each)),
        covered=_dict(cost_of(covered, each)),
        left=left or 0,
        spending=left is not None,
    )


async def learn_earlier(engine: Engine, scope: Scope, calls: int) -> EarlierDict:
    """Begin a budget, or end one with 0 calls. Raises ConflictError, SaidOnlyError, StateError."""
    if calls and not engine.options.learn.hourly_calls:
        raise SaidOnlyError
    budgets = engine.background.worker.budgets
    if calls == 0:
        await budgets.end(scope, engine.parts.state.jobs)
    elif await budgets.begin(scope, calls):
        engine.background.learning.wake()
    return await earlier_of(engine, scope, calls)


def _dict(cost: LearningCost) -> CostDict:
    return shown_as(CostDict, cost)
