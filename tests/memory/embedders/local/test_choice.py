import pytest

from recollect.memory.embedders import LocalEmbedderOptions
from recollect.memory.embedders.local.choice import chosen, id_of
from recollect.memory.embedders.local.options import DEFAULT
from recollect.memory.embedders.local.weights import NEEDED, needed


@pytest.mark.parametrize("model", NEEDED)
@pytest.mark.parametrize("quantized", [False, True])
def test_a_store_keeps_its_model(model, quantized):
    """Without a configured model, the vectors that are there decide."""
    options = LocalEmbedderOptions(quantized=quantized)
    stored = id_of(model, quantized=quantized)
    assert id_of(chosen(options, stored), quantized=quantized) == stored


@pytest.mark.parametrize("stored", [None, "bge-m3", ""])
def test_a_new_store_has_the_default(stored):
    """So has one of an embedder that is no local model: it is refused as ever, never mixed."""
    assert chosen(LocalEmbedderOptions(), stored) == DEFAULT


@pytest.mark.parametrize("model", NEEDED)
def test_what_is_configured_decides(model):
    """Whatever is stored: a store of another model is refused."""
    assert chosen(LocalEmbedderOptions(model=model), id_of("minilm", quantized=False)) == model
    assert needed(model) == NEEDED[model]


def test_the_weights_of_the_default():
    """They are fetched where no model is configured."""
    assert needed(None) == NEEDED[DEFAULT]
