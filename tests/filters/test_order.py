"""The filters of the request side, in their order."""

import pytest

from recollect.filters import (
    Exchange,
    Outcome,
    Place,
    RequestRecallOptions,
    filters_before_recall,
    request_filters,
)
from recollect.filters.inject import Position
from recollect.filters.rewrite.filter import Rewrite, RewriteByModel
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Message,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall import HotIndexes, Recaller
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.fence import FENCE
from tests.support.folding import rows

ALICE = Scope(tenant="local", user_id="alice")


def recaller_of(options, store=None):
    """One with a store in memory, empty unless one is given."""
    embedder = FakeEmbedder()
    store = store or InMemoryStore(dim=embedder.dim)
    indexes = HotIndexes(store, options.index, dim=embedder.dim)
    return Recaller(indexes, embedder, ApproximateCounter(), options)


@pytest.fixture
async def run():
    """Run all filters over a store that knows where Alice lives."""
    embedder, tokens = FakeEmbedder(), ApproximateCounter()
    store = InMemoryStore(dim=embedder.dim)
    text = "Alice lives in Oslo near the harbour"
    [vector] = await embedder.embed([text])
    now = utc_now()
    item = MemoryItem(
        id="1",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=ALICE,
        created_at=now,
        updated_at=now,
        embedder_id=embedder.id,
    )
    await store.put([StoredMemory(item, vector)])

    async def run(*messages, **options):
        options = RequestRecallOptions(**options)
        filters = request_filters(options, recaller_of(options, store), tokens, FENCE)
        exchange = Exchange(
            scope=ALICE,
            messages=[Message(role=role, content=text) for role, text in messages],
            model="m",
            conversation_id="c",
            turn_id="t",
        )
        for step in filters:
            if exchange.verdict is None:
                await step.request(exchange)
        for step in filters:
            if hasattr(step, "settle"):
                step.settle(exchange)
        return exchange

    return run


def test_the_order():
    """Aside, gate, rewrite, recall, inject: what is skipped costs nothing of what comes after."""
    options = RequestRecallOptions()
    tokens, recaller = ApproximateCounter(), recaller_of(options)
    names = [step.name for step in request_filters(options, recaller, tokens, FENCE)]
    assert names == ["aside", "gate", "rewrite", "recall", "inject"]
    before = [step.name for step in filters_before_recall(options)]
    assert before == names[: names.index("recall")]


async def test_a_personal_question_gets_its_memory(run):
    """From the message to the injected text."""
    asked = await run(("system", "be kind"), ("user", "Where do I live, in Oslo near the harbour?"))
    assert asked.verdict.outcome is Outcome.INJECTED
    assert [each.index for each in asked.injections] == [1]
    assert "Alice lives in Oslo" in asked.injections[0].text


async def test_a_greeting_asks_nobody(run):
    """Nothing is searched for: no query, no selection but of wishes, no injection."""
    asked = await run(("user", "Hello!"))
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.SKIPPED, "greeting")
    assert (asked.query.text, asked.selection, asked.injections) == ("", None, ())


async def test_the_options_arrive_where_they_belong(run):
    """Gate and threshold are taken from one set of options."""
    asked = await run(
        ("system", "be kind"),
        ("user", "Hello Oslo harbour"),
        gate={"enabled": False},
        threshold=-1,
    )
    assert asked.verdict.outcome is Outcome.INJECTED
    assert [(each.index, each.place) for each in asked.injections] == [(1, Place.USER)]


@pytest.mark.parametrize("position", Position)
async def test_every_position_injects(run, position):
    """One block, whichever filter makes it."""
    asked = await run(
        ("system", "be kind"),
        ("user", "Where do I live, in Oslo near the harbour?"),
        position=position,
    )
    assert asked.verdict.outcome is Outcome.INJECTED
    assert len(asked.injections) == len(asked.injected) == 1


@rows(
    "rewrite, models, expected",
    [
        ({}, True, Rewrite),
        ({"strategy": "none"}, True, Rewrite),
        ({"strategy": "llm"}, False, Rewrite),
        ({"strategy": "llm"}, True, RewriteByModel),
        ({"hyde": True}, True, RewriteByModel),
        ({"multi_query": 1}, True, RewriteByModel),
    ],
)
def test_a_model_is_only_asked_where_that_is_wanted(rewrite, models, expected):
    """Off by default, and without a source of models there is nobody to ask."""
    options = RequestRecallOptions(rewrite=rewrite)
    tokens, recaller = ApproximateCounter(), recaller_of(options)
    source = object() if models else None
    [step] = [
        each
        for each in request_filters(options, recaller, tokens, FENCE, models=source)
        if each.name == "rewrite"
    ]
    assert type(step) is expected
