import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.embedders.local import id_of
from recollect.memory.embedders.weighted_halves import (
    ENGLISH_LIKE,
    SECOND,
    WeightedHalves,
    across_languages,
    is_of_use,
    weights_for,
)
from tests.support.folding import rows

HALVES = (40, 24)


@pytest.fixture
def embedder():
    """An embedder whose first forty numbers are one half."""
    return WeightedHalves(FakeEmbedder(FakeEmbedderOptions(dim=64)), HALVES)


@rows("language", [*SECOND, "en", "und", "sw", "hi"])
def test_a_query_weighs_the_cosines(language):
    """A search orders memories by ``cos1 + b * cos2``, and the query keeps its length."""
    rng = np.random.default_rng(7)
    halves = [rng.normal(size=(9, size)) for size in HALVES]
    halves = [half / np.linalg.norm(half, axis=1, keepdims=True) for half in halves]
    whole = np.concatenate(halves, axis=1) / np.sqrt(2)
    query = whole[0] * weights_for(language, HALVES)
    wanted = (
        halves[0] @ halves[0][0] + SECOND.get(language, ENGLISH_LIKE) * halves[1] @ halves[1][0]
    )
    assert np.argsort(whole @ query).tolist() == np.argsort(wanted).tolist()
    assert np.linalg.norm(query) == pytest.approx(1.0)
    assert np.corrcoef(whole @ query, wanted)[0, 1] == pytest.approx(1.0)


async def test_the_language_of_each_query_decides(embedder):
    """Of a call with several, each is weighed by its own; stored texts are weighed equally."""
    texts = ["What is my sister's name?", "我姐姐叫什么名字?"]
    plain, asked = await embedder.embed(texts), await embedder.embed_queries(texts)
    for row, whole, language in zip(asked, plain, ("en", "zh"), strict=True):
        assert np.allclose(row, whole * weights_for(language, HALVES))
    await embedder.close()
    assert embedder._inner._closed


@rows(
    "model, compared, of_use",
    [
        ("minilm", slice(0, None), False),
        ("use", slice(0, None), True),
        ("pair", slice(384, None), True),
    ],
)
def test_what_is_compared_across_languages(model, compared, of_use):
    """Of the pair the half of USE, of every other embedder all."""
    name = id_of(model)
    assert (across_languages(name), is_of_use(name)) == (compared, of_use)
