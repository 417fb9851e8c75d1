"""The recalls before the first request: they load and measure, and never prevent a start."""

import asyncio

import pytest

from recollect.filters import Fence, Outcome, RequestRecallOptions, Verdict, request_filters
from recollect.filters.exchange import RequestFilter
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import StoreError
from recollect.memory.recall import HotIndexes, Recaller
from recollect.memory.recall.options import IndexOptions
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.proxy.chat import warming as module
from recollect.proxy.chat.warming import RECALLS, WARM_UP_SCOPE, warm_up


class Step(RequestFilter):
    """One that takes so many seconds of a test's clock, or fails."""

    name = "step"

    def __init__(self, times=(), error=None, verdict=None):
        self.now = 0.0
        self.asked = []
        self._times = list(times)
        self._error = error
        self._verdict = verdict

    async def request(self, exchange):
        self.asked.append(exchange)
        if self._error is not None:
            raise self._error
        self.now += self._times.pop(0) if self._times else 0
        exchange.verdict = self._verdict


async def test_the_first_one_loads_and_the_quickest_of_the_others_counts():
    """What was loaded, and what another process took from us, says nothing about the machine."""
    step = Step([9.0, 0.3, 0.2, 0.7])
    assert await warm_up([step], clock=lambda: step.now) == pytest.approx(0.2)


async def test_it_is_nobodys_and_each_is_another_text():
    """A scope that no request can have, and texts of which no vector is cached."""
    step = Step()
    await warm_up([step])
    assert {exchange.scope for exchange in step.asked} == {WARM_UP_SCOPE}
    assert len({exchange.messages[0].content for exchange in step.asked}) == RECALLS


async def test_a_verdict_ends_it():
    """As for a request: what comes after is not run."""
    last = Step()
    await warm_up([Step(verdict=Verdict(Outcome.EMPTY, "no_memories")), last])
    assert last.asked == []


@pytest.mark.parametrize("error", [StoreError("down"), ZeroDivisionError()])
async def test_a_part_that_fails_prevents_no_start(error):
    """Nothing is known then."""
    assert await warm_up([Step(error=error)]) is None


async def test_a_part_that_hangs_prevents_no_start(monkeypatch):
    """It is left after a while."""
    monkeypatch.setattr(module, "MOST_SECONDS", 0.01)

    class Hangs(Step):
        async def request(self, _exchange):
            await asyncio.Event().wait()

    assert await warm_up([Hangs()]) is None


async def test_every_step_up_to_the_search_is_run(monkeypatch):
    """The gate lets it through, the text is embedded and the store is asked."""
    embedder = FakeEmbedder()
    store = InMemoryStore(dim=embedder.dim)
    options = RequestRecallOptions()
    indexes = HotIndexes(store, IndexOptions(), dim=embedder.dim)
    embedded, loaded = [], []

    async def embed(texts, inner=embedder.embed):
        embedded.extend(texts)
        return await inner(texts)

    async def load(scope, inner=store.load, **more):
        loaded.append(scope)
        return await inner(scope, **more)

    monkeypatch.setattr(embedder, "embed", embed)
    monkeypatch.setattr(store, "load", load)
    recaller = Recaller(indexes, embedder, _Tokens(), options)
    steps = request_filters(options, recaller, _Tokens(), Fence(b"key"))
    assert await warm_up(steps) is not None
    assert len(embedded) == RECALLS
    assert loaded == [WARM_UP_SCOPE]


class _Tokens:
    def count(self, text):
        return len(text)
