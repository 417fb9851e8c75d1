import asyncio

import numpy as np
import pytest

from memory.embedders import BatchedEmbedder, FakeEmbedder, FakeEmbedderOptions
from memory.errors import EmbeddingError

from .contract import EmbedderContract


class Remote(FakeEmbedder):
    """Answers when the test lets it, and refuses one word."""

    def __init__(self, dim=16):
        super().__init__(FakeEmbedderOptions(dim=dim))
        self.go = asyncio.Event()
        self.asked = []
        self.cancelled = 0

    async def embed(self, texts):
        self.asked.append(list(texts))
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if "refused" in texts:
            raise EmbeddingError("HTTP 400")
        return await super().embed(texts)


@pytest.fixture
def remote():
    return Remote()


@pytest.fixture
async def embedder(remote):
    embedder = BatchedEmbedder(remote, max_batch=8, requests=2)
    yield embedder
    await embedder.close()


class TestContract(EmbedderContract):
    @pytest.fixture
    def remote(self, remote):
        remote.go.set()
        return remote


async def begin(embedder, *texts):
    """Calls that have begun to wait, one for each text."""
    calls = [asyncio.ensure_future(embedder.embed([text])) for text in texts]
    for _ in range(3):
        await asyncio.sleep(0)
    return calls


async def test_concurrent_questions_share_a_request(embedder, remote):
    """While the allowed requests go on, all other questions gather for the next."""
    calls = await begin(embedder, *"abcdef")
    remote.go.set()
    answers = np.concatenate(await asyncio.gather(*calls))
    assert remote.asked == [["a"], ["b"], ["c", "d", "e", "f"]]
    expected = await FakeEmbedder(FakeEmbedderOptions(dim=16)).embed(list("abcdef"))
    assert np.array_equal(answers, expected)


async def test_a_refused_text_costs_only_its_caller(embedder, remote):
    """The others of its request are asked for again and answered."""
    calls = await begin(embedder, "a", "b", "c", "refused", "d")
    remote.go.set()
    *rest, refused, last = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(refused, EmbeddingError)
    assert all(isinstance(answer, np.ndarray) for answer in (*rest, last))


async def test_a_hung_server_is_left_with_the_last_caller(embedder, remote):
    """A request nobody waits for is cancelled, and its place is free again."""
    calls = await begin(embedder, *"abcd")
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    late = await begin(embedder, "late")
    assert (remote.asked, remote.cancelled) == ([["a"], ["b"], ["late"]], 2)
    remote.go.set()
    assert (await late[0]).shape == (1, 16)


async def test_closing_during_a_request(embedder, remote):
    """What is under way and what waits fail as closed, and no request goes on."""
    calls = await begin(embedder, *"abcd")
    await embedder.close()
    for answer in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(answer, EmbeddingError)
        assert "closed" in str(answer)
    assert remote.cancelled == 2


async def test_a_server_that_changes_its_dimension(embedder, remote):
    """Rows of another length than was promised go no further."""
    remote.go.set()
    assert (await embedder.embed(["a"])).shape == (1, 16)
    remote._dim = 32
    with pytest.raises(EmbeddingError):
        await embedder.embed(["b"])
