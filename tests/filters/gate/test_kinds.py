"""What kind of answer a question wants."""

import pytest

from recollect.filters.gate.kinds import capitals_tell, is_particular, kinds_of_answer
from recollect.memory.language.message import Reading, take_apart


def reading(text):
    return Reading(take_apart(text))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Which country has the longest coast?", {"country"}),
        ("Welches Tier hat Jorinde gezähmt?", {"Tier"}),
        ("Who painted the planet?", set()),
    ],
)
def test_the_kind_stands_beside_the_question_word(text, kinds):
    """Across a particle, not across the verb."""
    asked = reading(text)
    found = {asked.scan.raw[i] for i in kinds_of_answer(asked)} - {
        "Which",
        "Welches",
        "What",
        "Who",
    }
    assert found >= kinds
    assert not (found - kinds) & {"coast", "planet"}


def test_capitals_tell_people_apart():
    """Not where all nouns have them, and not in a script without."""
    assert capitals_tell(reading("When did Ottilie leave?"))
    assert not capitals_tell(reading("Wann ist Ottilie gegangen?"))
    assert not capitals_tell(reading("ゆいはいつ行きましたか？"))


def test_a_particular_question_has_words_of_its_own():
    """Besides general knowledge and the form of asking."""
    asked = reading("Which country did Ottilie visit?")
    assert is_particular(asked, set(range(len(asked.scan.raw))))
