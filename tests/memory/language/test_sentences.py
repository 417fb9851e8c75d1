"""Sentences and lines."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.sentences import is_question, sentences


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
