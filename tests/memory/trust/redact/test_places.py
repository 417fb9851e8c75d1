"""Words after a noun: all that may be its value, none of the others."""

from memory.trust.redact.places import places
from memory.trust.redact.view import view


def words(text):
    return [(place.word, place.quoted) for place in places(view(text), 0, len(text))]


def test_plain_words_count_only_after_a_link():
    """The first word and what follows "is" are candidates; the rest of a sentence is not."""
    assert words("for the old house is sunflower today") == [("for", False), ("sunflower", False)]


def test_quotes_and_groups_of_digits_are_one_word():
    """What is between quotes, and digits in groups, is not taken apart."""
    assert words('it "three blind mice" 12 34 56') == [
        ("it", False),
        ("three blind mice", True),
        ("12 34 56", False),
    ]


def test_a_word_ends_at_wide_punctuation():
    """A fullwidth comma or bracket is no part of a value."""
    assert ("7731", False) in words("是7731，5分钟")
