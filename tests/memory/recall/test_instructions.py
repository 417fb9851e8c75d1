"""What tells a lasting instruction from an order for one answer."""

import pytest

from recollect.memory.recall.instructions import instructs, instructs_form
from recollect.memory.recall.traits import WISH, traits_of


@pytest.mark.parametrize(
    "sentence",
    [
        "Always answer in Spanish.",
        "From now on, keep it brief, no bullet points.",
        "please stop using emojis",
        "Ab jetzt bitte auf Englisch antworten.",
        "Dorénavant, réponds en italien.",
        "De ahora en adelante responde en inglés",
        "D'ora in poi rispondi in tedesco",
        "Voortaan graag zonder emoji",
        "Odtąd odpowiadaj krótko i bez emotikonów",
        "Впредь отвечай коротко и без эмодзи",
        "bundan sonra kısa cevap ver",
        "今後は英語で答えてください",
        "앞으로 존댓말로 답변해 줘",
        "以后请用英文回答",
        "अब से हिंदी में जवाब दो",
    ],
)
def test_instructions_about_form_are_wishes(sentence):
    """Every answer has a form, so they bear on every request."""
    assert instructs(sentence)
    assert instructs_form(sentence)
    assert WISH in traits_of(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Also, always metric, please.",
        "When I ask for a recipe, grams not cups.",
        "Cuando te pida una receta dame las cantidades para 40 porciones.",
        "Y siempre en sistema métrico, por favor.",
        "Und nie mit Fachwörtern, bitte",
    ],
)
def test_they_may_follow_something_else(sentence):
    """They begin with "and" or "also", or say when."""
    assert instructs(sentence)


def test_never_mind_instructs_nothing():
    """It is small talk."""
    assert not instructs("Never mind, found it.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Summarise this in bullet points.",
        "Convert 3 miles to metric.",
        "How do I always answer in Spanish?",
        "I always use metric units.",
        "From now on I live in Oslo.",
    ],
)
def test_orders_and_statements_are_none(sentence):
    """An order for one answer does not last, and what the user does instructs nobody."""
    assert not instructs(sentence)


def test_instructions_about_code_last_but_are_no_wishes():
    """They bear on requests about code only."""
    assert instructs("Always write tests in pytest.")
    assert not instructs_form("Always write tests in pytest.")


@pytest.mark.parametrize("sentence", ["Call me Sam.", "Nenn mich Alex.", "Chiamami Ale"])
def test_names_to_be_called_by(sentence):
    """Who says how to be called means it for good."""
    assert instructs(sentence)
