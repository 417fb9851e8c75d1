"""Models around another: they note its name, bound its time, or count its tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import NamedTuple, Protocol

from ..database.costs import SqlLedger
from ..model.costs import LEARNING, UPKEEP
from ..model.errors import (
    BudgetError,
    CallsSpentError,
    HourSpentError,
    ModelError,
    ServerRestsError,
    UpkeepBudgetError,
    WithheldError,
)
from ..model.jobs import JobKind, Spent
from ..model.ports import ChatModel
from ..model.types import ChatReply, ChatRequest, utc_now

MAX_NAME_CHARS = 200
"""Of a name that is kept: a server may answer anything."""


class NamedModel:
    """A `ChatModel` that notes the name in its last answer.

    A server may answer with another model than was asked for: an alias, or the only one it has.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.name: str | None = None
        """None before the first answer, and if an answer names none."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises as the model does."""
        reply = await self._model.complete(request)
        self.name = reply.model[:MAX_NAME_CHARS] if reply.model else None
        return reply

    async def close(self) -> None:
        await self._model.close()


class TimedModel:
    """A `ChatModel` whose calls end at a moment of the running loop's clock, however many they are.

    A call that is not answered by then fails with the error of `late`, and no other is begun.
    """

    def __init__(self, model: ChatModel, *, until: float, late: Callable[[], ModelError]) -> None:
        self._model = model
        self._until = until
        self._late = late

    async def complete(self, request: ChatRequest) -> ChatReply:
        if asyncio.get_running_loop().time() >= self._until:
            raise self._late()
        limit = asyncio.timeout_at(self._until)
        try:
            async with limit:
                return await self._model.complete(request)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._late() from None

    async def close(self) -> None:
        """Whoever opened the model closes it."""


OnSpent = Callable[[str, str, JobKind, Spent], None]
"""Told the tenant, the name of the model as its server says it ("" if it does not), the kind of
work, and the cost of each call."""


def unnoticed_spending(_tenant: str, _model: str, _kind: JobKind, _spent: Spent) -> None:
    """The default `on_spent`: does nothing."""


CHARS_PER_TOKEN = 4
"""For servers that report no usage; about right for English."""


class CallBudget(Protocol):
    """What calls are taken from. Both methods raise StateError."""

    async def take(self) -> None:
        """Count a call before it is made; raises HourSpentError or CallsSpentError without one."""

    async def give_back(self) -> None:
        """The last one was not made: nothing was sent. A process that dies before has one less."""


class HourlyCalls:
    """The calls of one job, which count against its tenant's calls of the hour (UTC).

    A call is counted before it is made, so there are never more than `most`. One exception: the job
    that makes the first call of an hour may finish, or one that needs more never could.
    """

    def __init__(
        self, ledger: SqlLedger, tenant: str, most: int, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._ledger = ledger
        self._tenant = tenant
        self._most = most
        self._clock = clock
        self._first = False
        self._hour = clock()

    async def take(self) -> None:
        """See `CallBudget`."""
        self._hour = self._clock().replace(minute=0, second=0, microsecond=0)
        most = None if self._first else self._most
        count = await self._ledger.call(self._tenant, self._hour, most=most)
        if count is None:
            raise HourSpentError(f"all {self._most} calls of the hour are used up")
        self._first = self._first or count == 1

    async def give_back(self) -> None:
        """See `CallBudget`."""
        self._first &= await self._ledger.uncall(self._tenant, self._hour) > 0


class Account(NamedTuple):
    """What the calls of a model are charged to."""

    ledger: SqlLedger
    tenant: str
    kind: JobKind = JobKind.LEARN

    async def check(self, day: date, daily_tokens: int) -> None:
        """Raise BudgetError if the kinds that share a budget with this one have spent the day's.

        For upkeep it is the UpkeepBudgetError. Raises StateError.
        """
        learning = self.kind in LEARNING
        spent = await self.ledger.spent(self.tenant, day, LEARNING if learning else UPKEEP)
        if spent.tokens >= daily_tokens:
            error = BudgetError if learning else UpkeepBudgetError
            raise error(f"{spent.tokens} of {daily_tokens} tokens are spent today (UTC)")

    async def charge(self, day: date, spent: Spent) -> None:
        """Write down what a call took. Raises StateError."""
        await self.ledger.spend(self.tenant, day, spent, kind=self.kind)


class MeteredModel:
    """A `ChatModel` that records its usage in the ledger of one tenant.

    The cost of a call is known after it, so the last calls of a day may exceed the budget.
    """

    def __init__(
        self,
        model: ChatModel,
        account: Account,
        *,
        daily_tokens: int | None = None,
        calls: Sequence[CallBudget] = (),
        on_spent: OnSpent = unnoticed_spending,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`daily_tokens` bounds all kinds together that share a budget with the account's."""
        self._model = model
        self._account = account
        self._on_spent = on_spent
        self._daily_tokens = daily_tokens
        self._calls = calls
        self._clock = clock

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises StateError, BudgetError (the day's tokens are spent), and as `CallBudget.take`."""
        day = self._clock().date()
        if self._daily_tokens is not None:
            await self._account.check(day, self._daily_tokens)
        taken = list[CallBudget]()
        try:
            for each in self._calls:
                await each.take()
                taken.append(each)
            reply = await self._model.complete(request)
        except (WithheldError, ServerRestsError, HourSpentError, CallsSpentError):
            for each in taken:
                await each.give_back()
            raise
        spent = spent_on(request, reply)
        name = (reply.model or "")[:MAX_NAME_CHARS]
        self._on_spent(self._account.tenant, name, self._account.kind, spent)
        await self._account.charge(day, spent)
        return reply

    async def close(self) -> None:
        await self._model.close()


def spent_on(request: ChatRequest, reply: ChatReply) -> Spent:
    """The cost of a call, as its server says it, or else about."""
    asked = sum(len(message.content) for message in request.messages)
    return Spent(
        calls=1,
        prompt_tokens=reply.prompt_tokens or asked // CHARS_PER_TOKEN + 1,
        completion_tokens=reply.completion_tokens or len(reply.text) // CHARS_PER_TOKEN + 1,
    )
