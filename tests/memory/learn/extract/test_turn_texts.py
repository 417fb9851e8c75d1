"""The words and names of some turns, by speaker, and quotes in them."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.turn_texts import Searchable, is_typo, plain, scripts_of
from tests.support.folding import rows
from tests.support.tables import tables

from ....support.waiting import HANG_SECONDS
from .turns import said, turn

ROWS = tables(__file__)


def found(text, quote):
    places = Searchable(text).find(quote)
    return text[places[0][0] : places[-1][1]] if places else None


@rows("text, quote, passage", ROWS["found as it stands"])
def test_found_as_it_stands(text, quote, passage):
    """Case, blanks, punctuation and what was left out with an ellipsis do not matter."""
    assert found(text, quote) == passage


@rows("text, quote", ROWS["words are never forgiven"])
def test_words_are_never_forgiven(text, quote):
    """Another word, a missing one, another order or a part of a word is not what was said."""
    assert found(text, quote) is None


@given(st.text(), st.data())
def test_what_is_there_is_found(text, data):
    """Any run of whole words of any text is found in it."""
    words = text.split()
    start = data.draw(st.integers(0, len(words)))
    quote = " ".join(words[start : start + data.draw(st.integers(1, 5))])
    passage = found(text, quote)
    if passage is not None:
        mended = any(mark in quote for mark in ("..", "…", ":", "："))
        assert plain(passage) == plain(quote) or mended


def test_hostile_texts_end():
    """Long repetitions cost no more than their length."""
    done = threading.Event()

    def search():
        assert found("a" * 200_000, "a" * 500) is None
        assert found("a " * 100_000, "a " * 500 + "b") is None
        assert found("." * 200_000, "." * 1000) is None
        done.set()

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    thread.join(HANG_SECONDS)  # a hang, not a timing
    assert done.is_set()


TALK = said(
    turn(
        "My wife Ana-Lucía moved to New York City. She works at O'Brien's, on openSUSE, from Portugal.",
        "In NY?",
    ),
    turn("ich mag Kaffee", steps=[("crm", "Customer: Zeta Corp")], n=2),
)


@rows("text", ROWS["names that were said"])
def test_names_that_were_said(text):
    """Names count as said whatever their accents, case and endings; so do initials."""
    assert not TALK.unsaid_names(text)


@rows("text", ["User's wife is called Bobby", "User's nickname is Sparky", "User works with Anton"])
def test_invented_names(text):
    """A name that nobody said is found."""
    assert TALK.unsaid_names(text)


@rows("other", ["alergic", "allergicc", "alelrgic", "allergyc", "allergic"])
def test_one_typo(other):
    """A letter may be missing, doubled, wrong or in the place of its neighbour."""
    assert is_typo("allergic", other)
    assert is_typo(other, "allergic")
    assert not is_typo("allergic", "allegro")


@rows(
    "text, scripts",
    [
        ("I am Bob", {"latin"}),
        ("我叫王小明", {"cjk"}),
        ("私は東京に住んでいます", {"cjk"}),
        ("Я живу в Москве и пользуюсь очень старым ноутбуком IBM", {"cyrillic"}),
        ("123 !", set()),
    ],
)
def test_scripts(text, scripts):
    """The scripts of a text are told; a name in another one does not count."""
    assert scripts_of([text]) == scripts
