"""A sentence model from a folder.

The one in `tiny` looks words' letters up in a table of random vectors; it was made with the `onnx`
and `tokenizers` packages.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from recollect.memory.embedders import embed_queries, open_embedder
from recollect.memory.embedders.local import OnnxEmbedderOptions
from recollect.memory.embedders.local.folder import FolderModel
from recollect.memory.model.errors import EmbeddingError

from ..contract import EmbedderContract

TINY = Path(__file__).parents[1] / "tiny"


@pytest.fixture
async def embedder():
    """The tiny model, as one line of configuration opens it."""
    found = await open_embedder(OnnxEmbedderOptions(backend="onnx", folder=TINY))
    yield found
    await found.close()


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, embedder):
        return embedder


async def test_it_is_named_after_its_folder(embedder):
    """The store and the thresholds are kept by this id; without a folder the field is named."""
    assert (embedder.id, embedder.dim) == ("tiny", 8)
    with pytest.raises(EmbeddingError, match=r"embedder\.folder is not set"):
        await open_embedder(OnnxEmbedderOptions())


def load(folder):
    return FolderModel.load(folder, threads=1, max_tokens=64)


def test_a_text_is_the_mean_of_its_tokens():
    """Padding beside a longer text changes nothing."""
    model = load(TINY)
    tokens = model.tokenize(["ab", "abcdefgh ij"])
    both = model.run(tokens)
    assert np.allclose(both[0], model.run(tokens[:1])[0], atol=1e-6)
    a, b = (model.run([[token]])[0] for token in tokens[0])
    assert both[0] @ (a + b) > 0
    model.close()
    with pytest.raises(EmbeddingError, match="the model failed"):
        model.run(tokens)


async def test_prefixes(embedder):
    """As the E5 models want it: one before what is stored, another before what is asked."""
    options = OnnxEmbedderOptions(folder=TINY, prefix="passage: ", query_prefix="query: ")
    prefixed = await open_embedder(options)
    text, asked = await embedder.embed(["passage: a", "query: a"])
    assert np.allclose(await prefixed.embed(["a"]), text, atol=1e-6)
    assert np.allclose(await embed_queries(prefixed, ["a"]), asked, atol=1e-6)
    await prefixed.close()


def test_files_that_are_missing_elsewhere_or_broken(tmp_path):
    """Named with the field and the folder, found in `onnx`, and an error of ours."""
    folder = tmp_path / "mine"
    shutil.copytree(TINY, folder)
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert load(folder).dim == 8
    (folder / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(EmbeddingError, match="cannot load the model"):
        load(folder)
    for name in ("tokenizer.json", "model.onnx"):
        shutil.rmtree(folder)
        shutil.copytree(TINY, folder)
        (folder / name).unlink()
        with pytest.raises(EmbeddingError, match=rf"embedder\.folder: .*mine has no {name}"):
            load(folder)
