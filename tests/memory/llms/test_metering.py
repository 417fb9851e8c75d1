"""The name of the model that answered."""

import asyncio
from datetime import date

import pytest

from recollect.memory.llms import OpenAIChatOptions, TimedModel
from recollect.memory.llms.guarded import GuardedModel
from recollect.memory.llms.metering import (
    MAX_NAME_CHARS,
    Account,
    HourlyCalls,
    MeteredModel,
    NamedModel,
)
from recollect.memory.model.errors import (
    AddTimeoutError,
    BudgetError,
    HourSpentError,
    ModelBusyError,
    ModelError,
    ModelUnavailableError,
    StateError,
    UpkeepBudgetError,
    WithheldError,
)
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import ChatReply, ChatRequest, Message, Spent
from recollect.memory.util.breaker import Breaker
from tests.memory.learn.doubles import NOON, Says, user
from tests.support.clock import Clock
from tests.support.state import InMemoryLedger

ASKED = ChatRequest(messages=[Message(role="user", content="hi")])


class Answers:
    """Names that are answered in turn; an error is raised."""

    def __init__(self, *names):
        self._names = list(names)
        self.closed = False

    async def complete(self, _request):
        name = self._names.pop(0)
        if isinstance(name, Exception):
            raise name
        return ChatReply(text="x", model=name)

    async def close(self):
        self.closed = True


async def test_the_name_is_that_of_the_last_answer():
    """None before; the answer is the model's own, and so are errors and the end."""
    inner = Answers("a", ModelError("away"), "b" * 1000, None, "")
    model = NamedModel(inner)
    assert model.name is None
    assert (await model.complete(ASKED)).model == "a"
    assert model.name == "a"
    with pytest.raises(ModelError):
        await model.complete(ASKED)
    assert model.name == "a"
    assert len((await model.complete(ASKED)).model) == 1000
    assert model.name == "b" * MAX_NAME_CHARS
    for _ in range(2):
        await model.complete(ASKED)
        assert model.name is None
    await model.close()
    assert inner.closed


ASK = ChatRequest(messages=[user("Hello")], max_tokens=1)


class Endless(Says):
    async def complete(self, request):
        self.requests.append(request)
        await asyncio.Event().wait()


def timed(model, seconds):
    until = asyncio.get_running_loop().time() + seconds
    return TimedModel(model, until=until, late=lambda: AddTimeoutError(seconds))


async def test_a_call_ends_at_the_moment():
    """With the error of whoever set it; after it nobody is asked, and before it nothing changes."""
    late, early = Endless(), Says("Hi", TimeoutError())
    with pytest.raises(AddTimeoutError):
        await timed(late, 0.01).complete(ASK)
    assert len(late.requests) == 1
    with pytest.raises(AddTimeoutError):
        await timed(early, -1).complete(ASK)
    assert early.requests == []
    assert (await timed(early, 900).complete(ASK)).text == "Hi"
    with pytest.raises(TimeoutError):
        await timed(early, 900).complete(ASK)
    await timed(early, 900).close()
    assert not early.closed


REQUEST = ChatRequest(messages=[user("x" * 400)])
TODAY = NOON.date()


@pytest.fixture
def ledger():
    return InMemoryLedger()


def metered(model, ledger, tenant="t", *, kind=JobKind.LEARN, **options):
    account = Account(ledger, tenant, kind)
    return MeteredModel(model, account, clock=lambda: NOON, **options)


class Counts:
    """A model that says what a call took."""

    async def complete(self, request):
        return ChatReply(text="yes", model="m", prompt_tokens=7, completion_tokens=3)


async def test_what_a_call_takes_is_written_down(ledger):
    """Calls and tokens of a tenant add up by day; what a server does not say is estimated.

    A call that failed costs nothing: nobody knows what it took.
    """
    model = metered(Counts(), ledger)
    await model.complete(REQUEST)
    await model.complete(REQUEST)
    assert await ledger.spent("t", TODAY) == Spent(2, 14, 6)
    assert await ledger.spent("other", TODAY) == Spent()
    assert await ledger.spent("t", date(2026, 3, 3)) == Spent()
    with pytest.raises(ModelError):
        await metered(Says(ModelError("no")), ledger, "third").complete(REQUEST)
    assert await ledger.spent("third", TODAY) == Spent()
    await metered(Says("four" * 10), ledger, "third").complete(REQUEST)
    assert await ledger.spent("third", TODAY) == Spent(1, 101, 11)


async def test_a_call_is_told_with_its_tenant_and_model(ledger):
    """Whoever counts costs hears of each, also while the ledger cannot be written."""
    told = []

    class Down(InMemoryLedger):
        async def spend(self, tenant, day, spent, *, kind):
            raise StateError("down")

    model = metered(Counts(), Down(), on_spent=lambda *spent: told.append(spent))
    with pytest.raises(StateError):
        await model.complete(REQUEST)
    assert told == [("t", "m", JobKind.LEARN, Spent(1, 7, 3))]


async def test_no_call_is_made_beyond_the_budget(ledger):
    """Once the day's tokens are spent the model is not asked any more, for this tenant only."""
    says = Says("yes")
    model = metered(says, ledger, daily_tokens=100)
    await model.complete(REQUEST)
    with pytest.raises(BudgetError, match="102 of 100"):
        await model.complete(REQUEST)
    assert len(says.requests) == 1
    await metered(says, ledger, "other", daily_tokens=100).complete(REQUEST)


def hour_of(ledger, most):
    return HourlyCalls(ledger, "t", most, clock=lambda: NOON)


async def test_a_call_that_was_not_made_is_not_counted(ledger):
    """What a policy withholds, and what another bound refuses, leaves the calls of the hour."""
    says = Says(WithheldError(), WithheldError(), "yes", "yes")
    hourly, other = hour_of(ledger, 2), hour_of(ledger, 2)
    model = metered(says, ledger, calls=(hourly,))
    for _ in range(2):
        with pytest.raises(WithheldError):
            await model.complete(REQUEST)
    assert await ledger.called("t", NOON) == 0
    # Nobody made the first call of the hour by one that was withheld.
    await metered(Says("yes"), ledger, calls=(other,)).complete(REQUEST)
    await model.complete(REQUEST)
    with pytest.raises(HourSpentError):
        await model.complete(REQUEST)
    assert await ledger.called("t", NOON) == 2
    none = metered(Says(), ledger, calls=(other, hour_of(ledger, 0)))
    with pytest.raises(HourSpentError):
        await none.complete(REQUEST)
    assert await ledger.called("t", NOON) == 2


async def test_a_call_to_a_server_that_rests_is_not_counted(ledger):
    """Nobody pays for what an open circuit breaker did not let through; a failed call counts."""
    says, clock = Says(*[ModelBusyError("503")] * 2, "yes"), Clock()
    server = GuardedModel(says, OpenAIChatOptions())
    server._breaker = Breaker(failures=2, seconds=30, clock=clock)
    model = metered(server, ledger, calls=(hour_of(ledger, 100),))
    for _ in range(5):
        with pytest.raises(ModelUnavailableError):
            await model.complete(REQUEST)
    assert await ledger.called("t", NOON) == len(says.requests) == 2
    clock.now += 30
    await model.complete(REQUEST)
    assert await ledger.called("t", NOON) == 3


async def test_upkeep_and_learning_have_budgets_of_their_own(ledger):
    """All kinds of upkeep share one; what it spends takes nothing from learning, and vice versa."""
    says = Says("yes")
    await metered(says, ledger, kind=JobKind.EPISODE, daily_tokens=100).complete(REQUEST)
    with pytest.raises(UpkeepBudgetError, match="102 of 100"):
        await metered(says, ledger, kind=JobKind.REFLECT, daily_tokens=100).complete(REQUEST)
    await metered(says, ledger, kind=JobKind.JUDGE, daily_tokens=100).complete(REQUEST)
    with pytest.raises(BudgetError) as raised:
        await metered(says, ledger, daily_tokens=100).complete(REQUEST)
    assert type(raised.value) is BudgetError
    assert len(says.requests) == 2
