"""How much a statement is worth knowing later, by its meaning."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.recall.importance import (
    HIGH,
    LEVELS,
    LONGEST,
    LOW,
    MIDDLE,
    NEUTRAL,
    ImportanceScale,
    agreed,
)
from tests.support.folding import rows

PAIR, USE = "all-MiniLM-L6-v2+use-multilingual-v3", "use-multilingual-v3"


def test_no_sentence_is_of_two_levels():
    """It would be as near to what it shows as to the contrary; others are compared with English."""
    every = list(chain.from_iterable(LEVELS))
    assert len(every) == len(set(every))
    assert all(text.isascii() for text in every)


@rows("name, dim", [(PAIR, 896), (USE, 512)])
def test_the_vectors_of_the_sentences_are_shipped(name, dim):
    """Run `tools/embed_examples.py` if one is not: nothing is embedded for them."""
    scale = ImportanceScale.of(name, calibration_for(name, dim=dim))
    assert scale is not None
    near = scale.kinds.cosines(np.zeros(512, np.float32))
    assert [len(level) for level in near] == [len(texts) for texts in LEVELS]


def test_what_has_no_vector_or_is_long_or_foreign_is_neutral():
    """Of a language that the embedder does not know, meaning tells nothing."""
    scale = ImportanceScale.of(USE, calibration_for(USE, dim=512))
    vector = np.ones(512, np.float32)
    assert scale.told("I have diabetes.", np.zeros(512, np.float32)) == NEUTRAL
    assert scale.told("I have diabetes. " * LONGEST, vector) == NEUTRAL
    assert (
        scale.told(
            "\u039c\u03bf\u03c5 \u03b1\u03c1\u03ad\u03c3\u03b5\u03b9 \u03c4\u03bf "
            "\u03c4\u03c3\u03ac\u03b9 \u03c4\u03bf \u03c0\u03c1\u03c9\u03af",
            vector,
        )
        == NEUTRAL
    )
    assert LOW <= scale.told("I have diabetes.", vector) <= HIGH


async def test_levels_in_several_languages(models_dir):
    """Health before a hobby before small talk, whatever the language."""
    embedder = await open_embedder(LocalEmbedderOptions(model="pair", model_dir=models_dir))
    scale = ImportanceScale.of(embedder.id, calibration_for(embedder.id, dim=embedder.dim))
    for high, middle, low in (
        ("I have severe asthma.", "I collect stamps.", "Thanks, bye."),
        ("Ich habe schweres Asthma.", "Ich sammle Briefmarken.", "Danke, bis dann."),
        ("Tengo asma grave.", "Colecciono sellos.", "Gracias, hasta luego."),
    ):
        vectors = await embedder.embed([high, middle, low])
        told = [scale.told(text, v) for text, v in zip((high, middle, low), vectors, strict=True)]
        assert HIGH >= told[0] > told[1] > told[2] >= LOW
        assert told[0] > MIDDLE > told[2]
    await embedder.close()


@given(st.none() | st.floats(0, 1), st.floats(LOW, HIGH))
def test_a_model_and_the_meaning_have_half_a_say_each(judged, told):
    """What the model leaves open, the meaning decides."""
    found = agreed(judged, told)
    assert min(told, judged or 0) <= found <= max(told, judged or 0)
    if judged is None or judged == NEUTRAL:
        assert found == told
    else:
        assert found == pytest.approx((judged + told) / 2)
