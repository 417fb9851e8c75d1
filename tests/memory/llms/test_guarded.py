import pytest

from recollect.memory.llms import FixedModel, OpenAIChatModel, OpenAIChatOptions, TenantModel
from recollect.memory.llms.guarded import GuardedModel, guarded_model
from recollect.memory.model.errors import (
    ConfigError,
    ModelBusyError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from recollect.memory.model.types import ChatReply, ChatRequest, Message
from recollect.memory.util.breaker import FAILURES, Breaker
from tests.memory.learn.doubles import user
from tests.support.clock import Clock
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
    one = GuardedModel(model, OpenAIChatOptions())
    one._breaker = Breaker(**options)
    return one


async def test_a_server_that_is_down_is_not_asked():
    """After the failures in a row a call fails at once and says when the server is asked again."""
    model, clock = Fails(*[ModelBusyError("503")] * 2), Clock()
    one = guarded(model, failures=2, seconds=30, clock=clock)
    for _ in range(2):
        with pytest.raises(ModelBusyError):
            await one.complete(REQUEST)
    with pytest.raises(ModelUnavailableError, match=r"failed too often in a row .* again in 30 s"):
        await one.complete(REQUEST)
    assert model.calls == 2
    clock.now += 30
    assert (await one.complete(REQUEST)).text == "yes"


async def test_a_first_model_that_hangs_is_left_alone(monkeypatch):
    """Beside a fallback timeouts count: not every text waits for it."""
    first, other = Fails(*[ModelTimeoutError("slow")] * 9), Fails()
    options = OpenAIChatOptions(model="a", fallback={"model": "b", "base_url": "http://b/v1"})
    by_name = {"a": first, "b": other}
    monkeypatch.setattr(
        "recollect.memory.llms.guarded.OpenAIChatModel",
        lambda options, **_: by_name[options.model],
    )
    model = guarded_model(options, setting="learn.llm")
    for _ in range(9):
        assert (await model.complete(REQUEST)).text == "yes"
    assert (first.calls, other.calls) == (FAILURES, 9)


async def test_a_slow_answer_is_no_failure_of_the_server():
    """Timeouts never pause the calls: another text may be answered in time."""
    model = Fails(*[ModelTimeoutError("slow")] * 5)
    one = guarded(model, failures=2)
    for _ in range(5):
        with pytest.raises(ModelTimeoutError):
            await one.complete(REQUEST)
    assert (await one.complete(REQUEST)).text == "yes"


ASK = ChatRequest(messages=[Message(role="user", content="?")])


async def test_a_model_that_cannot_be_used_says_why_each_time():
    """Not as a failure of a model: waiting would not help."""
    source = FixedModel(OpenAIChatOptions(), "llm", problem="llm.api_key: required")
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"^llm\.api_key: required$") as caught:
            await source("any")
        assert not isinstance(caught.value, ModelError)
    await source.close()
    source = FixedModel(OpenAIChatOptions(model="own"), "learn.llm")
    assert (await source("any", "other")).options.model == "own"
    await source.close()


async def test_a_tenants_model_is_found_when_it_is_asked():
    """Before there is one the error says what to do; closing the view closes no model."""
    async with ScriptedModel("hello") as server:
        own = OpenAIChatModel(OpenAIChatOptions(base_url=server.base_url, model="m"))
        known = {}

        async def source(tenant, _model):
            return known.get(tenant)

        model = TenantModel(source, "acme")
        with pytest.raises(ModelError, match=r"learn\.llm"):
            await model.complete(ASK)
        known["acme"] = own
        assert (await model.complete(ASK)).text == "hello"
        await model.close()
        assert (await model.complete(ASK)).text == "hello"
        await own.close()
