"""Which sentences of a message are kept, by what stands beside them."""

import pytest

from recollect.memory.statements.sentence import Sentence, Whole
from recollect.memory.statements.statements import statements
from recollect.memory.statements.telling import Telling

PLAIN = Whole(frozenset({"en"}))


def kept(*parts, whole=PLAIN, alone=True):
    telling = Telling.of(parts, whole, alone=alone)
    return [n for n, part in enumerate(parts) if not part.asks and telling.keeps(n)]


ME = Sentence("My wife can't have onions.", personal=True)
MORE = Sentence("Cooked or raw.")
NAMED = Sentence("Booked a week in Whitby from 16 August.", named=True)
LONG = Sentence("Torn meniscus, they want to scope it.")
ASKED = Sentence("What now?", asks=True)
CHAT = Sentence("Good morning!", idle=True)


def test_what_goes_on_with_a_personal_sentence_is_kept():
    """Before it and behind it."""
    assert kept(MORE, ME, MORE) == [0, 1, 2]
    assert kept(MORE) == []


def test_what_stands_before_a_question_is_kept():
    """Behind it stands how to answer."""
    assert kept(NAMED, ASKED) == [0]
    assert kept(LONG, ASKED) == [0]
    assert kept(ASKED, NAMED) == kept(ASKED, LONG) == []


def test_beside_other_texts_only_the_person_counts():
    """A sentence beside code or a quotation speaks of that."""
    assert kept(LONG, ASKED, alone=False) == []
    works = Whole(frozenset({"en"}), works=True)
    assert kept(ME, LONG, whole=works) == [0]


def test_small_talk_tells_nothing():
    """Nor does what stands beside it, unless it speaks of the user or names something."""
    assert kept(CHAT, LONG) == []
    assert kept(CHAT, NAMED, ME) == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "I braid rawhide in the winter. Reins, bosals, that sort of thing.",
        "MRI came back. The scan says it is torn.",
        "Our team uses Redis.",
        "Our landlord raised the rent.",
        "On the volunteer fire department, engine two.",
        "I'm the treasurer of our chess club.",
    ],
)
def test_a_statement_of_ones_own_is_kept_whole(text):
    """In doubt it is kept."""
    assert " ".join(statements(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Write a poem about a teapot. 60 words, over the top.",
        "What is a monad? Bullet points, max eight.",
        "You're the dragon, I'm the knight. Begin.",
        "Never mind, found it. Thanks anyway!",
    ],
)
def test_how_to_answer_is_no_statement(text):
    """Nor is a game, nor small talk."""
    assert statements(text) == []
