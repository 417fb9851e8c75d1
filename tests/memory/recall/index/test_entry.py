"""One memory as the index sees it."""

from datetime import timedelta

from recollect.memory.language import index_terms
from recollect.memory.recall.index.entry import Entry
from tests.memory.learn.doubles import NOON
from tests.memory.recall.memories import item


def test_terms_are_counted():
    """Each term once, with how often it stands there."""
    entry = Entry.of(item("tea, green tea and more tea"))
    counted = dict(zip(entry.terms, entry.counts, strict=True))
    assert counted["tea"] == 3
    assert sum(entry.counts) == len(index_terms("tea, green tea and more tea").terms)
    assert len(set(entry.terms)) == len(entry.terms)


def test_who_speaks_and_who_it_is_about():
    """A speaker's name by its words; what nobody says is about whom or what it begins with."""
    entry = Entry.of(item("Anna Mar\u00eda: I met Bob"))
    assert (set(entry.speaker), entry.subject) == ({"anna", "maria"}, None)
    entry = Entry.of(item("\u00abMar\u00eda lives in Berlin\u00bb"))
    assert (entry.speaker, entry.subject) == ((), "maria")


def test_it_stands_where_it_became_true():
    """`valid_from` goes before the time it was stored."""
    then = NOON - timedelta(days=400)
    assert Entry.of(item("tea")).moment == NOON.timestamp()
    assert Entry.of(item("tea", valid_from=then)).moment == then.timestamp()


def test_whether_it_names_a_time():
    """Of that it may be the answer to a question for a time."""
    assert Entry.of(item("Ann: we met on 3 May 2023")).dated
    assert not Entry.of(item("Ann: we met")).dated


def test_same_words_in_any_order_and_case():
    """Other word, no duplicate; and numbers are words."""

    def same(one, other):
        return Entry.of(item(one)).words == Entry.of(item(other)).words

    assert same("The user likes green tea.", "likes Green TEA the user")
    assert not same("The user likes green tea.", "The user likes black tea.")
    assert not same("a budget of 10,000", "a budget of 15,000")
    assert not same("the flight is on 3 May", "the flight is on 4 May")


def test_a_text_without_words():
    """Nothing to be found by is no error."""
    entry = Entry.of(item("...", id="1"))
    assert (entry.terms, entry.counts, entry.speaker, entry.subject) == ((), (), (), None)
