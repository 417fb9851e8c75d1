"""The weights that the product comes with: what they answer, and files that are not what they were."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.embedders import LocalEmbedderOptions, id_of, open_embedder
from recollect.memory.embedders.local import LocalEmbedder
from recollect.memory.embedders.local.embedder import BATCH
from recollect.memory.embedders.local.model import MiniLM
from recollect.memory.embedders.local.pair import HALVES, ModelPair
from recollect.memory.embedders.local.use import UniversalEncoder
from recollect.memory.embedders.local.weights import NEEDED, needed
from recollect.memory.embedders.weighted_halves import WeightedHalves
from recollect.memory.model.errors import EmbeddingError
from tests.support.budget import examples, paired

from ..contract import EmbedderContract

MINILM, USE = (
    json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    for name in ("golden.json", "use_golden.json")
)
ROUNDED = 0.03
"""Neighbours of a run move sums by a rounding error, and that can move a rounded value by one."""
ONE = {"threads": 1, "max_tokens": 256}
DIMS = {"minilm": 384, "use": 512}


@pytest.fixture(scope="module")
def models(models_dir):
    """Each model, loaded once."""
    first, second = MiniLM.load(models_dir, **ONE), UniversalEncoder.load(models_dir, **ONE)
    yield {"minilm": first, "use": second, "pair": ModelPair(first, second)}
    first.close()
    second.close()


def embed(model, *texts):
    return np.concatenate([model.run(model.tokenize([text])) for text in texts])


class Kept(ModelPair):
    """Stays open when its embedder is closed."""

    def close(self):
        """Another test uses it."""


class TestContract(EmbedderContract):
    atol = ROUNDED

    @pytest.fixture
    def embedder(self, models):
        pool = ThreadPoolExecutor(1)
        local = LocalEmbedder(Kept(models["minilm"], models["use"]), pool, BATCH)
        return WeightedHalves(local, HALVES)


def test_is_near_the_reference(models):
    """Multiplying in integers costs almost nothing of transformers' vectors on torch.

    Those are mean pooled, normalised, and cut at 256 tokens. USE's are those of the package.
    """
    vectors = embed(models["minilm"], *(entry["text"] for entry in MINILM))
    cosines = (vectors * np.array([entry["vector"] for entry in MINILM])).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.mean() > 0.985
    for entry in USE:
        [vector] = embed(models["use"], entry["text"])
        begins = vector[: len(entry["begins"])]
        assert np.abs(begins - np.array(entry["begins"])).max() < 2e-6, entry["name"]


def test_meaning_crosses_languages(models):
    """One sentence in eleven languages is nearer to itself than to another sentence."""
    same = [entry["text"] for entry in USE[:10]]
    other, *vectors = embed(models["use"], "The invoice is due on Friday.", *same)
    for vector in vectors:
        assert min(vector @ each for each in vectors) > vector @ other


@given(st.lists(st.text(st.characters(), max_size=200), min_size=1, max_size=4))
@settings(max_examples=examples(25), deadline=None)
def test_any_text(models, texts):
    """Whatever a text consists of, both models have a vector of it, and the whole has length one."""
    pair = models["pair"]
    vectors = pair.run(pair.tokenize(texts))
    assert vectors.shape == (len(texts), 896)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_what_is_read_of_a_long_text_is_bounded(models, models_dir):
    """What comes after the limit changes nothing; the model's 512 positions can all be used."""
    long, other = "word " * 30_000, "word " * 29_000 + "zebra " * 999
    assert np.allclose(*embed(models["pair"], long, other), atol=1e-6)
    for most in (8, 512):
        model = MiniLM.load(models_dir, threads=2, max_tokens=most)
        [tokens] = model.tokenize(["word " * 1000])
        assert len(tokens) == most
        assert model.run([tokens]).shape == (1, 384)
        model.close()


async def test_a_model_needs_its_own_files(models_dir, tmp_path):
    """They may be links, as volumes make them; what is missing is named, with what fetches it."""
    for model, weights in NEEDED.items():
        names = [file.name for each in weights for file in each.files]
        folder = tmp_path / model
        folder.mkdir()
        options = LocalEmbedderOptions(model=model, model_dir=folder)
        with pytest.raises(EmbeddingError, match=rf"lacks {' and '.join(names)}: .*models fetch"):
            await open_embedder(options)
        for name in names:
            (folder / name).symlink_to(models_dir / name)
        if model != "pair":  # both are loaded already, and tests/memory/engine opens them
            embedder = await open_embedder(options)
            assert (embedder.id, embedder.dim) == (id_of(model), DIMS[model])
            assert (await embedder.embed(["a"])).shape == (1, DIMS[model])
            await embedder.close()
        (folder / names[-1]).unlink()
        with pytest.raises(EmbeddingError, match=rf"lacks {names[-1]}: .*models fetch"):
            await open_embedder(options)
    with pytest.raises(EmbeddingError, match="model_dir"):
        await open_embedder(LocalEmbedderOptions())


def test_a_table_that_ends_early(models_dir, tmp_path):
    """Weights that are cut while they are in use are an EmbeddingError, not a wrong vector."""
    for each in ("use.safetensors", "use-sentencepiece.model"):
        shutil.copy(models_dir / each, tmp_path)
    encoder = UniversalEncoder.load(tmp_path, **ONE)
    with (tmp_path / "use.safetensors").open("r+b") as file:
        file.truncate(3000)
    with pytest.raises(EmbeddingError, match="the weights end"):
        embed(encoder, "bees")
    encoder.close()
    (tmp_path / "use.safetensors").unlink()  # pytest keeps the folder, and it is large


def _cut(path):
    os.truncate(path, path.stat().st_size // 2)


def _noise(path):
    with path.open("r+b") as file:
        file.write(NOISE[:4096])


def _ends_in_noise(path):
    left = path.stat().st_size
    with path.open("r+b") as file:
        left -= file.seek(left // 2)
        while left > 0:
            left -= file.write(NOISE[:left])


def _zeros(path):
    size = path.stat().st_size
    os.truncate(path, 0)
    os.truncate(path, size)


def _nothing(path):
    os.truncate(path, 0)


NOISE = np.random.default_rng(0).bytes(99_991)
DAMAGES = (_cut, _noise, _ends_in_noise, _zeros, _nothing)
FILES = [
    (model, file.name)
    for model in ("use", "minilm")
    for each in needed(model)
    for file in each.files
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, of numbers that are none
async def test_a_damaged_file_is_not_opened(models_dir, tmp_path):
    """Alone and in the pair; the error tells why, where the files are and what mends them."""
    for number, ((model, name), damage) in enumerate(paired(FILES, DAMAGES, 1)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for _, each in FILES:
            (folder / each).symlink_to(models_dir / each)
        (folder / name).unlink()
        shutil.copyfile(models_dir / name, folder / name)
        damage(folder / name)
        for opened in (model, "pair") if number == 0 else (model,):
            with pytest.raises(EmbeddingError, match="recollect models fetch") as caught:
                await open_embedder(LocalEmbedderOptions(model=opened, model_dir=folder))
            said = str(caught.value)
            assert ": ;" not in said  # the reason is never empty
            assert name in said or str(folder) in said
        shutil.rmtree(folder)  # pytest keeps it, and it has 90 MB
