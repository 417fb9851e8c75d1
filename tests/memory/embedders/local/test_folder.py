"""A sentence model from a folder.

The one in `tiny` looks words' letters up in a table of random vectors; it was made with the `onnx`
and `tokenizers` packages.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from recollect.memory.embedders import OnnxEmbedderOptions, embed_queries, open_embedder
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
    """The store and the thresholds are kept by this id."""
    assert (embedder.id, embedder.dim) == ("tiny", 8)


async def test_the_folder_is_required():
    """The error names the field."""
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


async def test_prefixes(embedder):
    """As the E5 models want it: one before what is stored, another before what is asked."""
    options = OnnxEmbedderOptions(folder=TINY, prefix="passage: ", query_prefix="query: ")
    prefixed = await open_embedder(options)
    text, asked = await embedder.embed(["passage: a", "query: a"])
    assert np.allclose(await prefixed.embed(["a"]), text, atol=1e-6)
    assert np.allclose(await embed_queries(prefixed, ["a"]), asked, atol=1e-6)
    await prefixed.close()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(tmp_path, name):
    """With the field of the configuration and the folder."""
    folder = tmp_path / "mine"
    shutil.copytree(TINY, folder)
    (folder / name).unlink()
    with pytest.raises(EmbeddingError, match=rf"embedder\.folder: .*mine has no {name}"):
        load(folder)


def test_the_graph_may_stand_in_a_folder_of_its_own(tmp_path):
    """As some publishers lay it out."""
    shutil.copytree(TINY, tmp_path / "mine")
    (tmp_path / "mine" / "onnx").mkdir()
    (tmp_path / "mine" / "model.onnx").rename(tmp_path / "mine" / "onnx" / "model.onnx")
    assert load(tmp_path / "mine").dim == 8


def test_a_broken_file_is_an_error_of_ours(tmp_path):
    """Not of the library that reads it."""
    shutil.copytree(TINY, tmp_path / "mine")
    (tmp_path / "mine" / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(EmbeddingError, match="cannot load the model"):
        load(tmp_path / "mine")
