"""Times are found in the languages that a text may be in, and questions that ask for one."""

from __future__ import annotations

from datetime import UTC, date, datetime

from recollect.memory.language.dates import asks_when, periods, tells_time
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text", ROWS["words of time tell"])
def test_words_of_time_tell(text):
    """In every language that has a table, in capitals too, and years as numbers."""
    assert tells_time(text)
    assert tells_time(text.upper())


@rows("text", ["", "User likes green tea", "版本很好", "id 120231", "costs 19.99"])
def test_other_words_do_not(text):
    """No word of time and no year: it names none."""
    assert not tells_time(text)


ASKING = """When did Anna go?|when's the party|and when?|what date was it|Which month did she move in?|how long ago was that
    How many years ago did we meet|since when|what was the date of the trip|what year|How long have I lived here
    Wann war das|an welchem Tag kam er|seit wann|wie lange ist das her|¿Cuándo fui?|¿en qué mes nací?|hace cuánto tiempo
    quand es-tu venu|depuis quand|quel jour|en quelle année|quando foi a festa?|em que ano|há quanto tempo
    我什么时候去的|哪一年|多久|いつ行きましたか|何月に|मैं कब गया|किस साल|متى ذهبت|في أي يوم"""
NAMING = """When I was there, who came?|Call me when you can|what did we do last time|what did I do yesterday|7 May 2023
    was habe ich gestern gemacht|cuando fui, comí|いつも何を食べる|何を食べた|what happened in 2022|how do I cook rice|"""


def _lines(texts):
    return [text.strip() for text in texts.replace("\n", "|").split("|")]


@rows("text", _lines(ASKING))
def test_what_asks_for_a_time(text):
    """In nine languages, with or without the question's other words."""
    assert asks_when(text)


@rows("text", _lines(NAMING))
def test_what_does_not(text):
    """A "when" that joins clauses, a time that is given, or neither."""
    assert not asks_when(text)


def test_a_text_that_is_asked_again_is_resolved_against_the_new_time():
    """What is kept of a text are its words, not the times that they meant when it was read."""
    first, later = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 5, 20, tzinfo=UTC)
    [before] = periods("Where was I yesterday?", first)
    [after] = periods("Where was I yesterday?", later)
    assert (before.start.date(), after.start.date()) == (date(2026, 3, 1), date(2026, 5, 19))
    assert periods("Where was I yesterday?", first) == [before]
