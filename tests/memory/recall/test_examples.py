"""The sentences that texts are compared with."""

from itertools import chain

from recollect.memory.recall.examples import (
    CHAT,
    CONSTRAINTS,
    FACTS,
    FIT,
    IMPERSONAL,
    MATERIAL,
    REMARKS,
    REQUESTS,
    UNFIT,
    WANTS,
    WISHES,
)
from tests.support.folding import rows

STATED = [
    *chain.from_iterable(CONSTRAINTS.values()), *chain.from_iterable(FACTS.values()), *CHAT,
    *WISHES, *WANTS, *chain.from_iterable(REQUESTS.values()), *IMPERSONAL,
]  # fmt: skip
OF_ANSWERS = [*UNFIT, *FIT, *MATERIAL, *REMARKS, *WISHES, *WANTS]


@rows("told", [STATED, OF_ANSWERS])
def test_no_sentence_stands_on_both_sides(told):
    """It would be as near to what it shows as to the contrary."""
    assert len(told) == len(set(told))


@rows("told", [STATED, OF_ANSWERS])
def test_they_are_english(told):
    """Other languages are compared with them by meaning."""
    assert all(text.isascii() for text in told)


def test_a_constraint_bears_on_topics_that_requests_have():
    """No other would ever be brought up in the order that is meant."""
    topics = {
        topic for told in CONSTRAINTS.values() for each in told.values() for topic in each.split()
    }
    assert topics <= set(REQUESTS)
