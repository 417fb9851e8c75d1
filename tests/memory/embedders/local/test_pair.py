import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.embedders.local.batches import RUN_TOKENS, leading
from recollect.memory.embedders.local.model import MiniLM
from recollect.memory.embedders.local.pair import HALVES, Both, ModelPair
from recollect.memory.embedders.local.use import UniversalEncoder
from recollect.memory.model.errors import EmbeddingError
from tests.support.budget import examples

from ..contract import EmbedderContract

ROUNDED = 0.03
"""Neighbours of a run move sums by a rounding error, and that can move a rounded value by one."""
TEXTS = ["My sister keeps bees.", "我姐姐养蜜蜂。", "", "lone \ud83d surrogate", "word " * 400]


@pytest.fixture
async def embedder(models_dir):
    """The pair as the product opens it."""
    embedder = await open_embedder(LocalEmbedderOptions(model="pair", model_dir=models_dir))
    yield embedder
    await embedder.close()


class TestContract(EmbedderContract):
    atol = ROUNDED

    @pytest.fixture
    def embedder(self, embedder):
        return embedder


@pytest.fixture(scope="module")
def model(models_dir):
    """The two models, without threads."""
    given = {"threads": 1, "max_tokens": 256}
    pair = ModelPair(MiniLM.load(models_dir, **given), UniversalEncoder.load(models_dir, **given))
    yield pair
    pair.close()


async def test_halves_are_the_models_own_vectors(embedder, models_dir):
    """End to end, each scaled alike: the cosine of two texts is the mean of the two cosines."""
    whole = np.split(await embedder.embed(TEXTS), [HALVES[0]], axis=1)
    for half, model in zip(whole, ("minilm", "use"), strict=True):
        alone = await LocalEmbedder.open(LocalEmbedderOptions(model=model, model_dir=models_dir))
        assert np.allclose(half * math.sqrt(2), await alone.embed(TEXTS), atol=ROUNDED)
        await alone.close()


async def test_identity(embedder):
    """The id names both models."""
    assert embedder.id == "all-MiniLM-L6-v2+use-multilingual-v3"
    assert embedder.dim == 896


@given(st.lists(st.text(st.characters(), max_size=200), min_size=1, max_size=4))
@settings(max_examples=examples(40), deadline=None)
def test_any_text(model, texts):
    """Whatever a text consists of, both models have a vector of it, and the whole has length one."""
    vectors = model.run(model.tokenize(texts))
    assert vectors.shape == (len(texts), 896)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_the_longer_half_bounds_a_run():
    """A run is as long as the model that has more tokens of its texts."""
    texts = [Both([1] * 10, [1] * 100), Both([1] * 100, [1] * 10)]
    assert [len(text) for text in texts] == [100, 100]
    assert leading(map(len, texts), RUN_TOKENS) == 1


async def test_a_missing_file_of_either(models_dir, tmp_path):
    """All that are missing are named at once."""
    (tmp_path / "tokenizer.json").symlink_to(models_dir / "tokenizer.json")
    with pytest.raises(EmbeddingError, match=r"lacks model\.safetensors and use\.safetensors and"):
        await open_embedder(LocalEmbedderOptions(model="pair", model_dir=tmp_path))
