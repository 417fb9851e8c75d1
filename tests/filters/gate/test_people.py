"""Questions about people, things and numbers of somebody's life, which look like general ones."""

import pytest

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.model.types import Message
from tests.support.folding import rows


def verdict(text):
    """The verdict on a first message."""
    return decide([Message(role="user", content=text)], GateOptions())


@rows(
    "text",
    [
        "When did Ottilie start playing chess?",
        "Which country did Ottilie visit in winter 2021 - 2022?",
        "When did Oskar Brandl start reading about volcanoes?",
        "Welches Tier hat Jorinde gezähmt?",
        "¿Cuándo empezó Ximena a tocar la flauta?",
        "Quel pays Maëlys a-t-elle visité en 2021 ?",
        "In quale paese è andata Ludovica?",
        "Jaki kraj odwiedziła Halszka?",
        "Какой язык учит Злата?",
        "Hangi ülkeye gitti Çağla?",
        "ゆいはどの国に行きましたか？",
        "지우가 방문한 나라는 어디야?",
    ],
)
def test_what_an_unlisted_person_did_is_searched(text):
    """A name that no list knows is somebody the user may know."""
    assert verdict(text).recall


@pytest.mark.parametrize(
    "text",
    ["When did Ottilie win her second race?", "How do Ottilie's dogs react to snow?"],
)
def test_what_a_named_person_does_or_owns_is_searched(text):
    """Somebody whom no list knows may be an acquaintance, and so may their things."""
    assert verdict(text).recall


@rows(
    "text",
    [
        "How many litres does tank 2 hold?",
        "Wie viele Liter fasst Tank 2?",
        "¿Cuántas plazas tiene el aula 3?",
        "Combien de chaises y a-t-il dans la salle 4 ?",
        "Quanti posti ha la sala 2?",
        "What happened on 2024-05-01?",
    ],
)
def test_a_number_that_is_a_label_or_a_date_makes_no_sum(text):
    """Counts of somebody's own things and days of their life are searched."""
    assert verdict(text).recall


@pytest.mark.parametrize("text", ["what is 12 - 5", "How many minutes are in 3 hours?"])
def test_a_stated_sum_is_computed(text):
    """Numbers that are amounts need no memory."""
    assert verdict(text) is GateReason.TOOL


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote My Sweet Lord?",
        "Who dug the deepest mine in South Africa?",
    ],
)
def test_words_that_only_look_like_pronouns_make_nothing_personal(text):
    """Titles and nouns are not the user."""
    assert verdict(text) is GateReason.FACT
