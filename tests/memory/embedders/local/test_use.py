import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions
from recollect.memory.embedders.local.use import UniversalEncoder, _windows
from recollect.memory.model.errors import EmbeddingError
from tests.support.budget import examples

from ..contract import EmbedderContract

GOLDEN = json.loads(Path(__file__).with_name("use_golden.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def encoder(models_dir):
    """The real model, without threads."""
    encoder = UniversalEncoder.load(models_dir, threads=1, max_tokens=256)
    yield encoder
    encoder.close()


@pytest.fixture
async def embedder(models_dir):
    """The same as an embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model="use", model_dir=models_dir))
    yield embedder
    await embedder.close()


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, embedder):
        return embedder


def embed(encoder, *texts):
    return encoder.run(encoder.tokenize(texts))


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda entry: entry["name"])
def test_equals_the_package(encoder, entry):
    """Vectors equal those of the package that the weights come from."""
    vector = embed(encoder, entry["text"])[0]
    assert np.abs(vector[: len(entry["begins"])] - np.array(entry["begins"])).max() < 2e-6


def test_meaning_crosses_languages(encoder):
    """One sentence in eleven languages is nearer to itself than to another sentence."""
    same = [entry["text"] for entry in GOLDEN[:10]]
    other, *vectors = embed(encoder, "The invoice is due on Friday.", *same)
    for vector in vectors:
        assert min(vector @ each for each in vectors) > vector @ other


@given(st.lists(st.text(st.characters(), max_size=300), min_size=1, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_any_text(encoder, texts):
    """Whatever a text consists of, surrogates and control characters too, it has a unit vector."""
    vectors = embed(encoder, *texts)
    assert vectors.shape == (len(texts), 512)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


async def test_identity(embedder):
    """Stored vectors are named after the published model."""
    assert (embedder.id, embedder.dim) == ("use-multilingual-v3", 512)


async def test_minilm_is_not_needed(models_dir, tmp_path):
    """A folder with its two files is enough."""
    for name in ("use.safetensors", "use-sentencepiece.model"):
        (tmp_path / name).symlink_to(models_dir / name)
    options = LocalEmbedderOptions(model="use", model_dir=tmp_path)
    embedder = await LocalEmbedder.open(options)
    assert (await embedder.embed(["a"])).shape == (1, 512)
    await embedder.close()


@pytest.mark.parametrize("name", ["use.safetensors", "use-sentencepiece.model"])
async def test_a_missing_file(models_dir, tmp_path, name):
    """It is named, with the command that fetches it."""
    (other,) = {"use.safetensors", "use-sentencepiece.model"} - {name}
    (tmp_path / other).symlink_to(models_dir / other)
    with pytest.raises(EmbeddingError, match=f"lacks {name}.*recollect models fetch"):
        await LocalEmbedder.open(LocalEmbedderOptions(model="use", model_dir=tmp_path))


def test_a_table_that_ends_early(models_dir, tmp_path):
    """Weights that are cut while they are in use are an EmbeddingError, not a wrong vector."""
    for each in ("use.safetensors", "use-sentencepiece.model"):
        shutil.copy(models_dir / each, tmp_path)
    encoder = UniversalEncoder.load(tmp_path, threads=1, max_tokens=256)
    with (tmp_path / "use.safetensors").open("r+b") as file:
        file.truncate(3000)
    with pytest.raises(EmbeddingError, match="the weights end"):
        embed(encoder, "bees")
    encoder.close()


def test_windows_end_with_their_text():
    """Words of the text before and of the one after stand in no window."""
    positions, lengths = np.array([0, 1, 0]), np.array([2, 2, 1])
    assert _windows(positions, lengths).tolist() == [
        [3, 3, 0, 1, 3],
        [3, 0, 1, 3, 3],
        [3, 3, 2, 3, 3],
    ]


def test_a_text_is_the_same_in_company(encoder):
    """A vector does not depend on the other texts of a run."""
    texts = ["My sister keeps bees.", "", "a " * 300, "我姐姐养蜜蜂。"]
    alone = np.concatenate([embed(encoder, text) for text in texts])
    assert np.abs(embed(encoder, *texts) - alone).max() < 2e-6
