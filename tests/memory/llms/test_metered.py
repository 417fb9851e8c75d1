from datetime import date

import pytest

from recollect.memory.llms.metered import MeteredModel
from recollect.memory.model.errors import BudgetError, ModelError
from recollect.memory.model.types import ChatReply, ChatRequest, Spent
from recollect.memory.state.inmemory import InMemoryLedger
from tests.memory.learn.doubles import NOON, Says, user

REQUEST = ChatRequest(messages=[user("x" * 400)])
TODAY = NOON.date()


@pytest.fixture
def ledger():
    return InMemoryLedger()


def metered(model, ledger, tenant="t", **options):
    return MeteredModel(model, ledger, tenant, clock=lambda: NOON, **options)


class Counts:
    """A model that says what a call took."""

    async def complete(self, request):
        return ChatReply(text="yes", model="m", prompt_tokens=7, completion_tokens=3)


async def test_what_a_call_takes_is_written_down(ledger):
    """Calls and tokens of a tenant add up by day."""
    model = metered(Counts(), ledger)
    await model.complete(REQUEST)
    await model.complete(REQUEST)
    assert await ledger.spent("t", TODAY) == Spent(2, 14, 6)
    assert await ledger.spent("other", TODAY) == Spent()
    assert await ledger.spent("t", date(2026, 3, 3)) == Spent()


async def test_a_server_that_does_not_say_is_estimated(ledger):
    """No usage in the answer is not free."""
    await metered(Says("four" * 10), ledger).complete(REQUEST)
    assert await ledger.spent("t", TODAY) == Spent(1, 101, 11)


async def test_no_call_is_made_beyond_the_budget(ledger):
    """Once the day's tokens are spent the model is not asked any more, for this tenant only."""
    says = Says("yes")
    model = metered(says, ledger, daily_tokens=100)
    await model.complete(REQUEST)
    with pytest.raises(BudgetError, match="102 of 100"):
        await model.complete(REQUEST)
    assert len(says.requests) == 1
    await metered(says, ledger, "other", daily_tokens=100).complete(REQUEST)


async def test_a_failed_call_costs_nothing(ledger):
    """Nobody knows what it took."""
    with pytest.raises(ModelError):
        await metered(Says(ModelError("no")), ledger).complete(REQUEST)
    assert await ledger.spent("t", TODAY) == Spent()
