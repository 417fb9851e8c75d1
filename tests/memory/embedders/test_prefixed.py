import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder, OpenAIEmbedderOptions, embed_queries
from recollect.memory.embedders.prefixed import PrefixedEmbedder, prefixed
from recollect.memory.memories import open_memories
from recollect.memory.model.errors import StoreError
from tests.memory.memories.databases import in_memory
from tests.support.folding import rows

from .contract import EmbedderContract


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return PrefixedEmbedder(FakeEmbedder(), OpenAIEmbedderOptions(prefix="a: "))


@rows(
    "options, stored, asked",
    [
        ({"prefix": "passage: ", "query_prefix": "query: "}, "passage: tea", "query: tea"),
        ({"prefix": "text: "}, "text: tea", "text: tea"),
        ({"query_prefix": "query: "}, "tea", "query: tea"),
        ({"prefix": "passage: ", "query_prefix": ""}, "passage: tea", "tea"),
    ],
)
async def test_what_stands_before(options, stored, asked):
    """A query has the prefix of texts unless it is given one of its own, even an empty one."""
    inner = FakeEmbedder()
    embedder = prefixed(inner, OpenAIEmbedderOptions(**options))
    [text], [query] = await embedder.embed(["tea"]), await embed_queries(embedder, ["tea"])
    assert np.allclose([text, query], await inner.embed([stored, asked]))
    await embedder.close()
    assert inner._closed


def test_the_id_names_what_stands_before_texts():
    """Vectors of one model after other words are other vectors; a query leaves nothing behind."""
    for given, named in (
        ({"prefix": "passage: ", "query_prefix": "query: "}, 'fake-words-384 "passage: "'),
        ({"prefix": 'say "it"', "query_prefix": ""}, r'fake-words-384 "say \"it\""'),
        ({"query_prefix": "query: "}, "fake-words-384"),
        ({}, "fake-words-384"),
    ):
        assert prefixed(FakeEmbedder(), OpenAIEmbedderOptions(**given)).id == named


async def test_memories_of_other_words_are_not_opened():
    """The start stops, says with which words the vectors were made, and what moves them."""
    scripts = in_memory()

    async def opened(prefix):
        named = prefixed(FakeEmbedder(), OpenAIEmbedderOptions(prefix=prefix))
        await open_memories(scripts, embedder_id=named.id, dim=named.dim)

    await opened("passage: ")
    with pytest.raises(StoreError, match=r'"passage: ".*recollect reindex'):
        await opened("text: ")
    await opened("passage: ")
    await scripts.close()
