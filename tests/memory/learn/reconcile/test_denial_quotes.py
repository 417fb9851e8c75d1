"""Whether a text says what a person said is not so."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.calibration import SAFE
from recollect.memory.learn.reconcile import denied_by, quotes_denial, quotes_it, tells_it
from recollect.memory.model.endings import by_person, ended_by_hand
from recollect.memory.model.types import Candidate, Provenance, ScoredMemory
from tests.memory.learn.doubles import ALICE, NOON, a_memory
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

LATER = NOON + timedelta(hours=1)


@rows("text, known, same", ROWS["whoever tells it"])
def test_whoever_tells_it(text, known, same):
    """The same words but for those for the user; a denial, more and another value are not."""
    assert quotes_denial(text, known) is same


@rows("text, quote, part", ROWS["words of a turn"])
def test_words_of_a_turn(text, quote, part):
    """Case and blanks tell nothing apart; nothing is a part of nothing."""
    assert quotes_it(text, quote) is part


def test_an_episode_tells_it_in_other_forms_of_its_words():
    """In seven languages, of examples that nobody tuned to; what tells something else never does.

    Where all words had to be the same, 8 of the 14 were known.
    """
    found = [
        tells_it(text, known) for _, text, known, tells in ROWS["other forms of its words"] if tells
    ]
    assert sum(found) >= 12
    for _, text, known, tells in ROWS["other forms of its words"]:
        assert tells or not tells_it(text, known), text


def ended(**fields):
    item = a_memory(
        "m",
        "User lives in Paris",
        ALICE,
        NOON,
        provenance=Provenance(turn_ids=("t",), quote="live in Paris"),
    )
    gone = ended_by_hand(replace(item, **fields), by_person(""), until=NOON, now=LATER)
    return [ScoredMemory(gone, 0.9)]


def denied(text, *, at=NOON, turn="t", quote="I live in Paris."):
    candidate = Candidate(text=text, turn_ids=(turn,), quote=quote)
    return denied_by(candidate, ended(), at=at, calibration=SAFE) is not None


def test_what_was_said_before_is_denied():
    """In the same words from any turn, in other words of the same matter from the same one."""
    assert denied("User lives in Paris", turn="other", quote="Paris it is")
    assert denied("User resides in Paris")
    assert not denied("User resides in Paris", turn="other")
    assert not denied("User has a dog")
