"""Questions about people, things and numbers of somebody's life, which look like general ones."""

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.filters.gate.reasons import GateReason
from recollect.memory.model.types import Message
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def verdict(text):
    """The verdict on a first message."""
    return decide([Message(role="user", content=text)], GateOptions())


@rows("text", ROWS["what an unlisted person did is searched"])
def test_what_an_unlisted_person_did_is_searched(text):
    """A name that no list knows is somebody the user may know."""
    assert verdict(text).recall


@rows("text", ["When did Ottilie win her second race?", "How do Ottilie's dogs react to snow?"])
def test_what_a_named_person_does_or_owns_is_searched(text):
    """Somebody whom no list knows may be an acquaintance, and so may their things."""
    assert verdict(text).recall


@rows("text", ROWS["a number that is a label or a date makes no sum"])
def test_a_number_that_is_a_label_or_a_date_makes_no_sum(text):
    """Counts of somebody's own things and days of their life are searched."""
    assert verdict(text).recall


@rows("text", ["what is 12 - 5", "How many minutes are in 3 hours?"])
def test_a_stated_sum_is_computed(text):
    """Numbers that are amounts need no memory."""
    assert verdict(text) is GateReason.TOOL


@rows(
    "text",
    [
        "Who wrote My Sweet Lord?",
        "Who dug the deepest mine in South Africa?",
    ],
)
def test_words_that_only_look_like_pronouns_make_nothing_personal(text):
    """Titles and nouns are not the user."""
    assert verdict(text) is GateReason.FACT
