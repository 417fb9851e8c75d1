"""Requests for a phrase in another language."""

import pytest

from recollect.filters.gate.wording import asks_for_wording
from recollect.memory.language.message import Reading, take_apart

STATED = [
    "How do I say I miss you in Portuguese?",
    "Wie sagt man Feierabend auf Englisch?",
    "Comment dit-on je suis en retard en allemand ?",
    "¿Cómo se dice servilleta en polaco?",
    "Come si dice buon appetito in giapponese?",
    "Hoe zeg je gezellig in het Frans?",
    "Jak powiedzieć dobranoc po włosku?",
    "Как сказать доброе утро по-испански?",
    "Afiyet olsun Almanca nasıl denir?",
    "「お疲れ様」は英語で何と言いますか？",
    "不客气用法语怎么说？",
]


@pytest.mark.parametrize("text", STATED)
def test_a_stated_phrase_needs_nothing(text):
    """Its pronouns are part of the phrase and speak of nobody."""
    assert asks_for_wording(Reading(take_apart(text)))


@pytest.mark.parametrize(
    "text",
    [
        "How do I say no to Grandma in Polish?",
        "Translate what I wrote to the landlord into German.",
        "What did I say about the exam in French?",
        "What level am I in Spanish?",
        "In French please",
        "How do you say that nicely?",
    ],
)
def test_what_the_user_said_or_has_is_not_stated(text):
    """Somebody's own words, people and lessons need memory."""
    assert not asks_for_wording(Reading(take_apart(text)))
