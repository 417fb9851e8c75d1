"""Names in a text, and in other spellings and scripts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import names_in, speaker_of
from recollect.memory.language.names import is_spelled_alike, sounds_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, name", ROWS["speaker of"])
def test_speaker_of(text, name):
    """At most three words before a colon that can be a name."""
    assert speaker_of(text) == name


@rows(
    "text, names",
    [
        ("When did Melanie's son visit Paris?", {"melanie", "paris"}),
        ("Caroline: Hey Mel! We went to New York.", {"caroline", "mel", "new", "york"}),
        ("Then I'm off. The end", set()),
        ("Caroline's hobby? What's that", {"caroline"}),
        ("nothing here", set()),
        ("Где живёт Иван?", {"иван"}),
        ("我喜欢北京", set()),
    ],
)
def test_names_in(text, names):
    """Capitals at a sentence's start say nothing, and function words name nobody."""
    assert names_in(text) == names


@rows("one, other", ROWS["spellings of one name"])
def test_spellings_of_one_name(one, other):
    """In one script and across two, in both directions."""
    assert is_spelled_alike(one, other)
    assert is_spelled_alike(other, one)


@rows("one, other", ROWS["two names"])
def test_two_names(one, other):
    """Other consonants, another first vowel, or too little to tell."""
    assert not is_spelled_alike(one, other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(one, other):
    """Never fails, and is the same both ways round."""
    assert isinstance(sounds_of(one), str)
    assert is_spelled_alike(one, other) == is_spelled_alike(other, one)
