import asyncio

import numpy as np
import pytest

from recollect.memory.embedders import (
    FakeEmbedder,
    FakeEmbedderOptions,
    OpenAIEmbedder,
    OpenAIEmbedderOptions,
)
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.util.openai_client import open_client

from .contract import EmbedderContract

DIM = 16


class Remote(OpenAIEmbedder):
    """Answers when the test lets it, and refuses one word."""

    def __init__(self, client):
        super().__init__(OpenAIEmbedderOptions(dim=DIM, batch_size=8), client)
        self._batcher._slots = 2
        self.model = FakeEmbedder(FakeEmbedderOptions(dim=DIM))
        self.go = asyncio.Event()
        self.asked = []
        self.cancelled = 0

    async def _ask(self, texts):
        self.asked.append(list(texts))
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if "refused" in texts:
            raise EmbeddingError("HTTP 400")
        return await self.model.embed(texts)


@pytest.fixture
async def remote():
    remote = Remote(
        await open_client(base_url=None, api_key=None, timeout_seconds=1, max_retries=0)
    )
    yield remote
    await remote.close()


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, remote):
        remote.go.set()
        return remote


async def begin(embedder, *texts):
    """Calls that have begun to wait, one for each text."""
    calls = [asyncio.ensure_future(embedder.embed([text])) for text in texts]
    for _ in range(3):
        await asyncio.sleep(0)
    return calls


async def test_concurrent_questions_share_a_request(remote):
    """While the allowed requests go on, all other questions gather for the next."""
    calls = await begin(remote, *"abcdef")
    remote.go.set()
    answers = np.concatenate(await asyncio.gather(*calls))
    assert remote.asked == [["a"], ["b"], ["c", "d", "e", "f"]]
    expected = await FakeEmbedder(FakeEmbedderOptions(dim=DIM)).embed(list("abcdef"))
    assert np.array_equal(answers, expected)


async def test_a_refused_text_costs_only_its_caller(remote):
    """The others of its request are asked for again and answered."""
    calls = await begin(remote, "a", "b", "c", "refused", "d")
    remote.go.set()
    *rest, refused, last = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(refused, EmbeddingError)
    assert all(isinstance(answer, np.ndarray) for answer in (*rest, last))


async def test_a_hung_server_is_left_with_the_last_caller(remote):
    """A request nobody waits for is cancelled, and its place is free again."""
    calls = await begin(remote, *"abcd")
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    late = await begin(remote, "late")
    assert (remote.asked, remote.cancelled) == ([["a"], ["b"], ["late"]], 2)
    remote.go.set()
    assert (await late[0]).shape == (1, DIM)


async def test_closing_during_a_request(remote):
    """What is under way and what waits fail as closed, and no request goes on."""
    calls = await begin(remote, *"abcd")
    await remote.close()
    for answer in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(answer, EmbeddingError)
        assert "closed" in str(answer)
    assert remote.cancelled == 2


async def test_a_server_that_changes_its_dimension(remote):
    """Rows of another length than was promised go no further."""
    remote.go.set()
    assert (await remote.embed(["a"])).shape == (1, DIM)
    remote.model = FakeEmbedder(FakeEmbedderOptions(dim=32))
    with pytest.raises(EmbeddingError):
        await remote.embed(["b"])
