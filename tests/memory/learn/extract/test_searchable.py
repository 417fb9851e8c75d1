import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.searchable import Searchable, plain
from tests.support.waiting import HANG_SECONDS


def found(text, quote):
    places = Searchable(text).find(quote)
    return text[places[0][0] : places[-1][1]] if places else None


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        ("Well, I live in Porto.", "I live in Porto", "I live in Porto"),
        ("Well, I LIVE in\n  Porto!", "i live in porto.", "I LIVE in\n  Porto"),
        ("I don\u2019t eat \u201cfish\u201d", "I don't eat 'fish'", "I don\u2019t eat \u201cfish"),
        ("I live, since May, in Porto", "I live since May in Porto", "I live, since May, in Porto"),
        ("I live in Porto", "...live in Porto...", "live in Porto"),
        ("I live with two dogs in Porto", "I live \u2026 dogs in Porto", "I live with two dogs in Porto"),
        ("\uff29 live in \uff30\uff4frto", "I live in Porto", "\uff29 live in \uff30\uff4frto"),
        ("Stra\u00dfe 5", "STRASSE 5", "Stra\u00dfe 5"),
        ("我叫王小明，住在北京。", "住在北京", "住在北京"),
        ("我叫王小明，住在北京。", "王小明 住在", "王小明，住在"),
        ("서울에 살아요", "서울", "서울"),
        ("I live in Porto", "user: I live in Porto", "I live in Porto"),
        ("我住在北京", "用户：我住在北京", "我住在北京"),
    ],
)  # fmt: skip
def test_found_as_it_stands(text, quote, passage):
    """Case, blanks, punctuation and what was left out with an ellipsis do not matter."""
    assert found(text, quote) == passage


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I live in Porto", "I lived in Porto"),
        ("I live in Porto", "I live Porto"),
        ("I do not live in Porto", "I do live in Porto"),
        ("Concatenate", "cat"),
        ("I have 150 EUR", "50 EUR"),
        ("I live in Porto", "in Porto I live"),
        ("I live in Porto", ""),
        ("I live in Porto", "..."),
        ("", "I"),
    ],
)
def test_words_are_never_forgiven(text, quote):
    """Another word, a missing one, another order or a part of a word is not what was said."""
    assert found(text, quote) is None


def test_the_pieces_of_a_quote():
    """Each piece between ellipses has its own place, so that what was left out can be read."""
    text = "I eat everything but sprouts"
    assert [text[a:b] for a, b in Searchable(text).find("I eat ... sprouts")] == [
        "I eat",
        "sprouts",
    ]


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
