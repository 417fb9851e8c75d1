"""Texts of every kind, and files that are not what they were, through each local model."""

import numpy as np
import pytest

from recollect.memory.embedders import LocalEmbedderOptions, embed_queries, open_embedder
from recollect.memory.embedders.local.weights import needed
from recollect.memory.model.errors import EmbeddingError

MODELS = ("pair", "use", "minilm")
TEXTS = {
    "mixed": "Ich war im 超市 и купил хлеб for my أم",
    "romanised": "main kal dilli gaya tha aur chai pi",
    "a language of none": "Ninapenda kusoma vitabu jioni. ቡና እወዳለሁ።",
    "digits": "4711 0815 42 3,14 1e9 ٢٢٠٠ 一二三",
    "words": "word " * 30_000,
    "letters": "x" * 30_000,
    "characters": "字" * 30_000,
    "surrogates": "lone \ud83d surrogate \udc00",
    "nul": "nul \x00 within",
    "controls": "\x01\x02\x1b[31m\u202e\ufeff\uffff",
    "pieces": "<s> </s> <unk> [CLS] [SEP] \u2581",
    "blanks": " \t\n\u3000",
    "empty": "",
}


def file_names(model):
    return [file.name for weights in needed(model) for file in weights.files]


@pytest.fixture(params=MODELS)
async def embedder(request, models_dir):
    """A model as the product opens it."""
    opened = await open_embedder(LocalEmbedderOptions(model=request.param, model_dir=models_dir))
    yield opened
    await opened.close()


async def test_any_text_has_a_vector(embedder):
    """Of unit length, stored or asked, and the same alone as beside others but for rounding."""
    for name, text in TEXTS.items():
        [alone] = await embedder.embed([text])
        _, beside = await embedder.embed(["tea", text])
        [asked] = await embed_queries(embedder, [text])
        for vector in (alone, asked):
            assert vector.shape == (embedder.dim,), name
            assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5), name
        assert np.allclose(alone, beside, atol=0.03), name


async def test_what_is_read_of_a_long_text_is_bounded(embedder):
    """However long: what comes after the beginning changes nothing."""
    one, other = await embedder.embed(["word " * 30_000, "word " * 29_000 + "zebra " * 999])
    assert np.allclose(one, other, atol=1e-6)


def _cut(raw):
    return raw[: len(raw) // 2]


def _noise(raw):
    return np.random.default_rng(0).bytes(4096) + raw[4096:]


def _ends_in_noise(raw):
    return _cut(raw) + np.random.default_rng(0).bytes(len(raw) - len(_cut(raw)))


DAMAGED = {"cut": _cut, "begins in noise": _noise, "ends in noise": _ends_in_noise}
DAMAGED |= {"zeros": lambda raw: bytes(len(raw)), "empty": lambda _: b""}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, of numbers that are none
@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize(
    ("model", "name"), [(model, name) for model in ("use", "minilm") for name in file_names(model)]
)
async def test_a_damaged_file_is_not_opened(models_dir, tmp_path, model, name, damage):
    """Alone and in the pair; the error tells why, where the files are and what mends them."""
    for each in file_names("pair"):
        (tmp_path / each).symlink_to(models_dir / each)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(damage((models_dir / name).read_bytes()))
    for opened in (model, "pair"):
        with pytest.raises(EmbeddingError, match="recollect models fetch") as caught:
            await open_embedder(LocalEmbedderOptions(model=opened, model_dir=tmp_path))
        said = str(caught.value)
        assert ": ;" not in said  # the reason is never empty
        assert name in said or str(tmp_path) in said
    (tmp_path / name).unlink()  # pytest keeps the folder, and it has 90 MB
