import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.split import spans_of


def cut(text, most):
    return [text[first:last] for first, last in spans_of(text, most)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        ("tea and milk", ["tea and milk"]),
        ("One is. Two is.\n\nThree is. Four is.", ["One is. Two is.\n\n", "Three is. Four is."]),
        ("A first one. A second one. A third", ["A first one. ", "A second one. A third"]),
        ("word word word word word word", ["word word word word ", "word word"]),
        ("x" * 50, ["x" * 22, "x" * 22, "x" * 6]),
        ("a " + "x" * 50, ["a ", "x" * 22, "x" * 22, "x" * 6]),
    ],
)
def test_where_a_text_is_cut(text, pieces):
    """After a paragraph, else a sentence, else a word, else anywhere; a text that fits is whole."""
    assert cut(text, 22) == pieces


@given(st.text(alphabet="ab .\n\t\u3002", max_size=200), st.integers(1, 30))
def test_nothing_is_lost(text, most):
    """The pieces are the text, in order, and each fits."""
    pieces = cut(text, most)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= most
