from dataclasses import replace

import pytest

from recollect.memory.llms.remembered import (
    KEPT_SECONDS,
    AnswerCache,
    AnswerOptions,
    RememberedModel,
)
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import ChatReply, ChatRequest, Scope
from tests.memory.learn.doubles import user

REQUEST = ChatRequest(messages=[user("hello")])


class Counts:
    def __init__(self):
        self.calls = 0
        self.error = None

    async def complete(self, request):
        self.calls += 1
        if self.error:
            raise self.error
        return ChatReply(text=str(self.calls), model="m")


def opened(*, entries=10, clock=lambda: 0.0):
    cache = AnswerCache(AnswerOptions(entries=entries), clock=clock)
    model = Counts()
    return cache, model, RememberedModel(model, cache, "t")


async def said(model, request=REQUEST):
    return (await model.complete(request)).text


async def test_the_same_request_is_asked_once():
    """A request that differs in anything is another one."""
    _, _, model = opened()
    assert [await said(model) for _ in range(3)] == ["1", "1", "1"]
    assert await said(model, replace(REQUEST, temperature=0.5)) == "2"
    assert await said(model, replace(REQUEST, schema={"type": "object"})) == "3"
    assert await said(model, replace(REQUEST, messages=[user("hello there")])) == "4"


async def test_answers_grow_old():
    """An answer is given for an hour only."""
    now = [0.0]
    _, _, model = opened(clock=lambda: now[0])
    await said(model)
    now[0] = KEPT_SECONDS - 1
    assert await said(model) == "1"
    now[0] = KEPT_SECONDS
    assert await said(model) == "2"


async def test_failures_are_not_kept():
    """The next call asks again."""
    _, inner, model = opened()
    inner.error = ModelError("no")
    with pytest.raises(ModelError):
        await said(model)
    inner.error = None
    assert await said(model) == "2"


async def test_a_deletion_drops_the_answers_of_its_tenant():
    """What was forgotten is in no answer that is given afterwards; tenants share nothing."""
    for owner in ("t", Scope(tenant="t", user_id="ada")):
        cache, inner, model = opened()
        other = RememberedModel(inner, cache, "other")
        assert (await said(model), await said(other)) == ("1", "2")
        cache.forget(owner, "some memory")
        assert (await said(model), await said(other)) == ("3", "2")
        cache.clear()
        assert await said(other) == "4"
