"""Where a model comes from."""

import pytest

from recollect.memory.llms import FixedModel, OpenAIChatModel, OpenAIChatOptions, TenantModel
from recollect.memory.model.errors import ConfigError, ModelError
from recollect.memory.model.types import ChatRequest, Message
from tests.support.scripted import ScriptedModel

ASK = ChatRequest(messages=[Message(role="user", content="?")])


async def test_the_configured_model_serves_everybody():
    """Whatever the tenant and whatever it asks for."""
    source = FixedModel(OpenAIChatOptions(model="own"), "learn.llm")
    assert (await source("any", "other")).options.model == "own"
    await source.close()


async def test_a_model_that_cannot_be_used_says_why_each_time():
    """Not as a failure of a model: waiting would not help."""
    source = FixedModel(OpenAIChatOptions(), "llm", problem="llm.api_key: required")
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"^llm\.api_key: required$") as caught:
            await source("any")
        assert not isinstance(caught.value, ModelError)
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
