import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder, OpenAIEmbedderOptions, embed_queries
from recollect.memory.embedders.prefixed import PrefixedEmbedder, prefixed

from .contract import EmbedderContract


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return PrefixedEmbedder(FakeEmbedder(), OpenAIEmbedderOptions(prefix="a: "))


@pytest.mark.parametrize(
    ("options", "stored", "asked"),
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


def test_no_prefixes():
    """Nothing stands between."""
    inner = FakeEmbedder()
    assert prefixed(inner, OpenAIEmbedderOptions()) is inner
