"""The sentences that texts are compared with."""

from itertools import chain

from recollect.memory.recall.examples import (
    CHAT,
    CONSTRAINTS,
    FACTS,
    IMPERSONAL,
    REQUESTS,
    WANTS,
    WISHES,
)


def test_no_sentence_stands_on_both_sides():
    """It would be as near to what it shows as to the contrary."""
    told = [
        *chain.from_iterable(CONSTRAINTS.values()), *chain.from_iterable(FACTS.values()), *CHAT,
        *WISHES, *WANTS, *chain.from_iterable(REQUESTS.values()), *IMPERSONAL,
    ]  # fmt: skip
    assert len(told) == len(set(told))


def test_a_constraint_bears_on_topics_that_requests_have():
    """No other would ever be brought up in the order that is meant."""
    topics = {
        topic for told in CONSTRAINTS.values() for each in told.values() for topic in each.split()
    }
    assert topics <= set(REQUESTS)


def test_they_are_english():
    """Other languages are compared with them by meaning."""
    texts = chain(
        *REQUESTS.values(), IMPERSONAL, *CONSTRAINTS.values(), *FACTS.values(), CHAT, WISHES, WANTS
    )
    assert all(text.isascii() for text in texts)
