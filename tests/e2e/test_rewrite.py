"""The rewrite by a real model server; the model is too small to be right, so it must be harmless."""

from __future__ import annotations

import pytest

from recollect.filters import Capture, Exchange, Outcome, RequestRecallOptions, request_filters
from recollect.filters.rewrite import RewriteOptions
from recollect.filters.rewrite.terms import rewrite
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import Message, Scope
from recollect.memory.recall import HotIndexes, Recaller
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter
from recollect.proxy.chat.pipeline import Pipeline
from recollect.proxy.telemetry.tracing import Telemetry
from tests.support.fence import FENCE
from tests.support.llama import LlamaServer
from tests.support.state import InMemoryConversations, InMemoryJobs

TALK = (
    ("user", "I split the parcel service out of the depot."),
    ("assistant", "ok"),
    ("user", "which port did I give it?"),
)
WORDS = {"llm", "llm_unusable", "llm_failed", "llm_deadline"}


def exchange() -> Exchange:
    return Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=[Message(role=role, content=text) for role, text in TALK],
        model="smollm2",
        conversation_id="c",
        turn_id="t",
    )


def pipeline(model: OpenAIChatModel, **rewriting: object) -> Pipeline:
    """The whole request side over an empty store, the model as any tenant's own."""

    async def models(tenant: str, name: str) -> OpenAIChatModel:
        assert (tenant, name) == ("local", "smollm2")
        return model

    options = RequestRecallOptions.model_validate(
        # A busy test machine is not what is tested here.
        {"deadline_ms": 5000, "rewrite": {"strategy": "llm"} | rewriting}
    )
    embedder, tokens = FakeEmbedder(), ApproximateCounter()
    store = InMemoryStore(dim=embedder.dim)
    indexes = HotIndexes(store, options.index, dim=embedder.dim)
    recaller = Recaller(indexes, embedder, tokens, options)
    return Pipeline(
        request_filters(options, recaller, tokens, FENCE, models=models),
        Capture(InMemoryConversations(), InMemoryJobs(), LearnOptions()),
        Telemetry(),
        options=options,
        wake=lambda: None,
    )


@pytest.fixture
async def model(llama: LlamaServer):
    model = OpenAIChatModel(OpenAIChatOptions(base_url=llama.base_url, model="smollm2"))
    yield model
    await model.close()


async def test_a_real_model_is_asked_and_does_no_harm(model: OpenAIChatModel) -> None:
    """Its answer is a query in bounds, or the key terms are; a second request costs no call."""
    steps = pipeline(model, multi_query=1, deadline_ms=10_000)
    first, again = exchange(), exchange()
    assert (await steps.recall(first)).outcome is Outcome.EMPTY
    assert first.notes["rewrite"] in WORDS
    assert "port" in first.query.text
    assert len(first.query.variants) <= 1
    assert first.query.passages == ()
    await steps.recall(again)
    assert (again.query, again.notes["rewrite"]) == (first.query, "cached")


async def test_a_model_that_is_too_slow_is_left(model: OpenAIChatModel) -> None:
    """No model answers in a millisecond: the recall goes on with key terms."""
    late = exchange()
    assert (await pipeline(model, deadline_ms=1).recall(late)).outcome is Outcome.EMPTY
    assert late.query.text == rewrite(late.messages, RewriteOptions())
    assert late.notes["rewrite"] == "llm_deadline"
