"""A model that answers until a certain moment."""

import asyncio

import pytest

from recollect.memory.llms import TimedModel
from recollect.memory.model.errors import AddTimeoutError
from recollect.memory.model.types import ChatRequest
from tests.memory.learn.doubles import Says, user

ASK = ChatRequest(messages=[user("Hello")], max_tokens=1)


class Endless(Says):
    async def complete(self, request):
        self.requests.append(request)
        await asyncio.Event().wait()


def timed(model, seconds):
    until = asyncio.get_running_loop().time() + seconds
    return TimedModel(model, until=until, late=lambda: AddTimeoutError(seconds))


async def test_answers_in_time_are_answers():
    """Unchanged."""
    assert (await timed(Says("Hi"), 900).complete(ASK)).text == "Hi"


async def test_a_call_ends_at_the_moment():
    """With the error of whoever set it."""
    model = Endless()
    with pytest.raises(AddTimeoutError):
        await timed(model, 0.01).complete(ASK)
    assert len(model.requests) == 1


async def test_after_it_nobody_is_asked():
    """No call is made in vain."""
    model = Says("Hi")
    with pytest.raises(AddTimeoutError):
        await timed(model, -1).complete(ASK)
    assert model.requests == []


async def test_a_timeout_of_somebody_else_stays_one():
    """It is not called late."""
    with pytest.raises(TimeoutError):
        await timed(Says(TimeoutError()), 900).complete(ASK)


async def test_it_closes_nothing():
    """The model is its owner's."""
    model = Says("Hi")
    await timed(model, 900).close()
    assert not model.closed
