import asyncio

import pytest

from recollect.memory.llms.guarded import GuardedModel, guarded_model
from recollect.memory.llms.options import OpenAIChatOptions
from recollect.memory.model.errors import ModelBusyError, ModelTimeoutError, ModelUnavailableError
from recollect.memory.model.types import ChatReply, ChatRequest
from recollect.memory.util.breaker import BreakerOptions
from tests.memory.learn.doubles import user
from tests.support.scripted import ScriptedModel

REQUEST = ChatRequest(messages=[user("hello")])


class Fails:
    def __init__(self, *errors):
        self.errors = list(errors)
        self.calls = 0

    async def complete(self, request):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return ChatReply(text="yes", model="m")


def guarded(model, **options):
    return GuardedModel(model, OpenAIChatOptions(breaker=BreakerOptions(**options)))


async def test_a_server_that_is_down_is_not_asked():
    """After the failures in a row a call fails at once and says when the server is asked again."""
    model = Fails(*[ModelBusyError("503")] * 9)
    one = guarded(model, failures=2, seconds=30)
    for _ in range(2):
        with pytest.raises(ModelBusyError):
            await one.complete(REQUEST)
    with pytest.raises(ModelUnavailableError, match=r"failed too often in a row .* again in 30 s"):
        await one.complete(REQUEST)
    assert model.calls == 2


async def test_a_slow_answer_is_no_failure_of_the_server():
    """Timeouts never pause the calls: another text may be answered in time."""
    model = Fails(*[ModelTimeoutError("slow")] * 5)
    one = guarded(model, failures=2)
    for _ in range(5):
        with pytest.raises(ModelTimeoutError):
            await one.complete(REQUEST)
    assert (await one.complete(REQUEST)).text == "yes"


async def test_a_real_server_that_comes_back():
    """Calls over HTTP fail at once during the pause, and succeed after it."""
    async with ScriptedModel(503, 503, "fine") as server:
        model = guarded_model(
            OpenAIChatOptions(
                base_url=server.base_url,
                max_retries=0,
                breaker=BreakerOptions(failures=2, seconds=0.2),
            )
        )
        try:
            for _ in range(4):
                with pytest.raises(ModelUnavailableError):
                    await model.complete(REQUEST)
            assert len(server.requests) == 2
            await asyncio.sleep(0.3)
            assert (await model.complete(REQUEST)).text == "fine"
        finally:
            await model.close()
