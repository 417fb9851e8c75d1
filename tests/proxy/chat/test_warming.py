"""The recall before the first request: it loads, and never prevents a start."""

import asyncio

from recollect.filters import Fence, RequestRecallOptions, request_filters
from recollect.filters.exchange import RequestFilter
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import StoreError
from recollect.memory.recall import HotIndexes, Recaller
from recollect.proxy.chat import warming as module
from recollect.proxy.chat.warming import WARM_UP_SCOPE, warm_up
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories


class Step(RequestFilter):
    """One that notes what it is asked, or fails."""

    name = "step"

    def __init__(self, error=None, verdict=None):
        self.asked = []
        self._error = error
        self._verdict = verdict

    async def request(self, exchange):
        self.asked.append(exchange)
        if self._error is not None:
            raise self._error
        exchange.verdict = self._verdict


@rows("error", [StoreError("down"), ZeroDivisionError()])
async def test_a_part_that_fails_prevents_no_start(error):
    """It is logged."""
    await warm_up([Step(error=error)])


async def test_a_part_that_hangs_prevents_no_start(monkeypatch):
    """It is left after a while."""
    monkeypatch.setattr(module, "MOST_SECONDS", 0.01)

    class Hangs(Step):
        async def request(self, _exchange):
            await asyncio.Event().wait()

    await warm_up([Hangs()])


async def test_every_step_up_to_the_search_is_run(monkeypatch):
    """The gate lets it through, the text is embedded and the store is asked."""
    embedder = FakeEmbedder()
    store = InMemoryMemories(dim=embedder.dim)
    options = RequestRecallOptions()
    indexes = HotIndexes(store, dim=embedder.dim)
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
    await warm_up(steps)
    assert len(embedded) == 1
    assert loaded == [WARM_UP_SCOPE]


class _Tokens:
    def count(self, text):
        return len(text)
