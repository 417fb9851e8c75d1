"""One engine: every part built once, and wired to those it needs."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.embedders import FakeEmbedderOptions
from recollect.memory.engine.engine import Engine, nobody
from recollect.memory.engine.options import EngineOptions
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import FixedModel, OpenAIChatOptions
from recollect.memory.model.errors import BudgetError
from recollect.memory.model.types import ChatRequest, Message, utc_now
from tests.memory.learn.doubles import Says
from tests.support.parts import engine_of
from tests.support.scripted import ScriptedModel, facts

ASK = ChatRequest(messages=[Message(role="user", content="?")])
FAKE = FakeEmbedderOptions()


async def test_the_configured_model_is_asked_first():
    """`learn.llm` wins over the models that were given; its tokens are the tenant's."""
    async with ScriptedModel(facts("User lives in Oslo")) as scripted:
        options = EngineOptions(
            embedder=FAKE,
            learn=LearnOptions(llm=OpenAIChatOptions(base_url=scripted.base_url, model="own")),
        )
        other = FixedModel(OpenAIChatOptions(base_url="http://nobody.invalid/v1"), "llm")
        async with Engine.open(options, other) as engine:
            await AsyncMemory(engine).add("I live in Oslo", user_id="alice")
            assert scripted.requests[0]["model"] == "own"
            spent = await engine.parts.state.ledger.spent("local", utc_now().date())
            assert spent.calls == len(scripted.requests)
        await other.close()


def test_whether_a_model_was_chosen():
    """One that cannot be asked was not."""
    chosen, refused = (
        FixedModel(OpenAIChatOptions(), "llm", problem=problem)
        for problem in (None, "llm.api_key: required")
    )
    for models, expected in ((nobody, False), (chosen, True), (refused, False)):
        assert engine_of(models=models).has_model is expected


async def test_a_budget_holds_for_the_library_too():
    """What `add` asks is paid from the same tokens of the day as what is learned later."""
    model = Says(facts())
    engine = engine_of(model, EngineOptions(learn=LearnOptions(daily_tokens=1)))
    await engine.model_of("local").complete(ASK)
    with pytest.raises(BudgetError):
        await engine.model_of("local").complete(ASK)
    await engine.model_of("other").complete(ASK)
    await engine.close()
