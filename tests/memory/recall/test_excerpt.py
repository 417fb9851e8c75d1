"""The best sentences of a long memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import index_terms
from recollect.memory.recall.excerpt import KEPT_CHARS, LONG_CHARS, SKIPPED, excerpt

FILLER = "The weather was fine and nothing else happened on that long day. "
TOLD = "The kitchen tap drips since Tuesday."
LONG = FILLER * 9 + TOLD + " " + FILLER * 9


def test_a_short_text_is_whole():
    """Up to a length that a third of the tokens hold."""
    text = "x" * LONG_CHARS
    assert excerpt(text, ()) is text


def test_the_sentences_with_the_words_of_the_query_are_kept():
    """In their order, with a sign where others are left out."""
    shown = excerpt(LONG, index_terms("kitchen tap").terms)
    assert TOLD in shown
    assert len(shown) < len(LONG) / 2
    assert SKIPPED in shown
    assert shown.endswith(SKIPPED)


def test_without_words_in_common_it_begins_as_the_text():
    """Nothing tells which sentence matters: the first ones do as well as any."""
    assert excerpt(LONG, ("zebra",)).startswith(FILLER.strip())


@pytest.mark.parametrize("text", ["word " * 2000, "x" * 50_000, "好" * 3000, "\n" * 5000 + "end"])
def test_any_long_text_becomes_short(text):
    """Also one without sentences or blanks, and a megabyte."""
    assert len(excerpt(text, ("word",))) <= KEPT_CHARS + 2 * len(SKIPPED) + 2


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=300), max_size=30))
def test_every_piece_is_of_the_text(pieces):
    """Nothing is made up, whatever the text is."""
    text = ". ".join(pieces)
    shown = excerpt(text, ("a",))
    for part in shown.replace(SKIPPED, "\0").split("\0"):
        for word in part.split():
            assert word in text or SKIPPED in text
