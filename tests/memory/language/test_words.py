"""A text as words, and as sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.words import (
    _ASCII_TOKEN,
    _TOKEN,
    folded_words,
    is_question,
    sentences,
    words_of,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, folded", ROWS["words are folded in every script"])
def test_words_are_folded_in_every_script(text, folded):
    """Case, accents, width and invisible characters make no difference between words."""
    assert folded_words(text) == folded
    assert words_of(text).folded == folded


def test_punctuation_parts_clauses_and_sentences():
    """A comma parts clauses, a full stop before a blank and a line end part sentences."""
    words = words_of("It costs 3.50 euros, I think. Ask Bob\nThanks. 好。再见")
    assert sorted(words.clause_starts) == [0, 3, 5, 7, 9, 10, 11]
    assert [" ".join(words.folded[a:b]) for a, b in words.sentences] == [
        "it costs 3 50 euros i think", "ask bob", "thanks", "好", "再 见",
    ]  # fmt: skip


@given(st.text() | st.text(alphabet=".!?…。 \n\"')a「」"))
def test_joined_they_are_the_text(text):
    """Nothing is lost between them, and none is empty."""
    parts = sentences(text)
    assert "".join(parts) == text
    assert all(parts)


def test_where_sentences_end():
    """At their mark or the line's end; not in a number, an abbreviation or a name."""
    assert sentences("Hi there! It costs 4.50 now. See St. Olav, e.g. today.\n\nBye") == [
        "Hi there! ", "It costs 4.50 now. ", "See St. Olav, e.g. today.\n\n", "Bye",
    ]  # fmt: skip
    assert sentences("我住在奥斯陆。我喜欢茶。") == ["我住在奥斯陆。", "我喜欢茶。"]


def test_questions():
    """By their last mark, in every script."""
    for text in ("Really? ", "好吗？", '"Why?"', "هل؟"):
        assert is_question(text)
    assert not is_question("Yes.")


@given(st.text(st.sampled_from("abcdlmnsTUXq019_'\".,;:!?()- \n\r\t#@"), max_size=60))
def test_ascii_has_the_same_words_by_the_quicker_way(text):
    """Texts of ASCII alone are read by a pattern of their own, which finds what the other finds."""
    every, quick = (
        [(token.span(), bool(token.lastgroup)) for token in pattern.finditer(text)]
        for pattern in (_TOKEN, _ASCII_TOKEN)
    )
    assert quick == every
