"""Learning by a budget from turns that no model reads of its own accord.

A budget is one job of learning, which has the calls that are left. It learns some turns of the
newest conversation; the transaction that ends it enqueues the next one with what is left. A call is
taken from the budget before it is made, so that no crash spends more, and what a model answered is
kept with its job as that of any other.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..database.jobs import SqlJobs
from ..database.unread_turns import UnreadTurn, unread_turns
from ..learn import LearnOptions
from ..learn.options import ContextBy
from ..model.errors import CallsSpentError, ConflictError
from ..model.jobs import Job
from ..model.types import Scope
from ..records.writing import InsidePorts, MemoryWriter
from .lease import LeaseLostError

BUDGET = "budget"
MOST_CHARS = 30_000
"""Of the turns of one job: what a model is shown in one call."""
MOST_ANSWER = 4_000
"""Characters of an answer that a model is shown with what the user said."""
CHARS_PER_TOKEN = 4
_TAKEN = "reason = CASE WHEN reason = :was THEN :reason ELSE reason END"
"""Unless somebody ended the budget meanwhile."""
CALL_TOKENS = 1_500
"""About what a call takes besides the turns: 620 of instructions, and an answer of up to 2,000."""


@dataclass(frozen=True, slots=True)
class UnreadPart:
    """Turns of a conversation that one job learns."""

    scope: Scope
    conversation_id: str
    after_seq: int
    upto_seq: int
    turns: int
    chars: int


@dataclass(frozen=True, slots=True)
class LearningCost:
    """What it takes to learn some parts, about."""

    conversations: int = 0
    turns: int = 0
    calls: int = 0
    tokens: int = 0


def parts_of(unread: Iterable[UnreadTurn]) -> list[UnreadPart]:
    """The parts in the order in which they are learned: the newest conversation first. Pure.

    `unread` is newest first. Within a conversation it is the order in which it was said.
    """
    places: dict[str, list[UnreadTurn]] = {}
    for each in unread:
        places.setdefault(each.conversation_id, []).append(each)
    return [
        part
        for turns in places.values()
        for _, run in groupby(enumerate(sorted(turns, key=_place)), lambda at: at[1].seq - at[0])
        for part in _cut([turn for _, turn in run])
    ]


def _place(turn: UnreadTurn) -> int:
    return turn.seq


def _cut(turns: Sequence[UnreadTurn]) -> list[UnreadPart]:
    """Turns that follow each other, in parts that fit in one call."""
    parts: list[UnreadPart] = []
    for each in turns:
        chars = each.said + min(each.answered, MOST_ANSWER)
        last = parts[-1] if parts else None
        if last is not None and last.chars + chars <= MOST_CHARS:
            parts[-1] = replace(
                last, upto_seq=each.seq, turns=last.turns + 1, chars=last.chars + chars
            )
        else:
            whose = each.scope, each.conversation_id
            parts.append(UnreadPart(*whose, each.seq - 1, each.seq, 1, chars))
    return parts


def cost_of(parts: Sequence[UnreadPart], each: int) -> LearningCost:
    """What the parts cost at so many calls for `each`. Pure."""
    calls, chars = each * len(parts), sum(part.chars for part in parts)
    return LearningCost(
        conversations=len({part.conversation_id for part in parts}),
        turns=sum(part.turns for part in parts),
        calls=calls,
        # One call of each part has its turns; the others have the facts.
        tokens=chars // CHARS_PER_TOKEN + calls * CALL_TOKENS,
    )


def calls_each(options: LearnOptions) -> int:
    """Calls for a part, if each answer can be read, and no facts have to be compared."""
    return 1 + options.verify + (options.context is ContextBy.MODEL)


def left_of(reason: str) -> int | None:
    """The calls that a job of this reason has left; None if it is of no budget."""
    word, _, left = reason.partition(":")
    return int(left) if word == BUDGET else None


class BudgetCalls:
    """The calls that a job of a budget has left. Raises as `CallBudget`, and LeaseLostError."""

    def __init__(self, jobs: SqlJobs, job: Job, left: int) -> None:
        self._jobs = jobs
        self._job = job
        self._left = left

    async def take(self) -> None:
        """See `CallBudget`."""
        if self._left <= 0:
            raise CallsSpentError("the calls of the budget are spent")
        await self._leave(self._left - 1)

    async def give_back(self) -> None:
        """See `CallBudget`."""
        await self._leave(self._left + 1)

    async def _leave(self, left: int) -> None:
        values = {"was": f"{BUDGET}:{self._left}", "reason": f"{BUDGET}:{left}"}
        self._left = left
        if not await self._jobs.change(self._job, _TAKEN, **values):
            raise LeaseLostError


class Budgets:
    """Begins budgets, and goes on with them. All methods raise StateError."""

    def __init__(self, writer: MemoryWriter, options: LearnOptions) -> None:
        self._writer = writer
        self._options = options

    async def begin(self, scope: Scope, calls: int) -> bool:
        """Have so many calls spent on a scope's unread turns; False if there are none.

        Raises ConflictError: a budget of the scope is not spent yet.
        """

        async def work(ports: InsidePorts) -> bool:
            if await self.open(ports.state.jobs, scope) is not None:
                raise ConflictError("a budget of this user is being spent: wait, or end it with 0")
            job = await _next(ports, scope, calls)
            return job is not None and await ports.state.jobs.put(job)

        return await self._writer.change(work, tenants={scope.tenant})

    async def end(self, scope: Scope, jobs: SqlJobs) -> None:
        """Spend nothing more; a job that runs ends with the calls that it makes."""
        await jobs.spend_nothing(scope, BUDGET)

    async def open(self, jobs: SqlJobs, scope: Scope) -> int | None:
        """The calls that are left of the scope's budget; None if none is being spent.

        0 as long as the last one is being made.
        """
        found = map(left_of, await jobs.budgets(scope, BUDGET))
        return max((left for left in found if left is not None), default=None)

    async def following(self, ports: InsidePorts, job: Job) -> Job | None:
        """The next job of the budget of a job that has just ended; None if it is spent."""
        if left_of(job.reason) is None:
            return None
        kept = await ports.state.jobs.reason_of(job.id)
        left = None if kept is None else left_of(kept)
        user = job.scope.user_id
        whose = Scope(tenant=job.scope.tenant, user_id=user) if user else job.scope
        return await _next(ports, whose, left) if left else None


async def _next(ports: InsidePorts, scope: Scope, calls: int) -> Job | None:
    found = parts_of(await unread_turns(ports.state.conversations.scripts, scope))
    if not found:
        return None
    part = found[0]
    return Job(
        # Another one each time: the same turns may be learned by a later budget.
        id=f"{part.conversation_id}:{part.upto_seq}:{uuid.uuid4().hex}",
        scope=part.scope,
        conversation_id=part.conversation_id,
        after_seq=part.after_seq,
        upto_seq=part.upto_seq,
        reason=f"{BUDGET}:{calls}",
    )
