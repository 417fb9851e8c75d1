"""Whether a text may name a time at all."""

import pytest

from recollect.memory.language.dates import tells_time


@pytest.mark.parametrize(
    "text",
    [
        "We met last Tuesday",
        "Caroline: I moved here in 2019!",
        "a trip two weeks ago",
        "Wir waren gestern in Rom",
        "el año pasado",
        "我昨天去了北京",
        "先週、山本さんに会った",
        "هذا حدث أمس",
    ],
)
def test_words_of_time_tell(text):
    """In every language that has a table, in capitals too, and years as numbers."""
    assert tells_time(text)
    assert tells_time(text.upper())


@pytest.mark.parametrize(
    "text", ["", "User likes green tea", "版本很好", "id 120231", "costs 19.99"]
)
def test_other_words_do_not(text):
    """No word of time and no year: it names none."""
    assert not tells_time(text)
