
"""What a text looks like."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.trust.looks import BRACKETS, LETTERS, folded, lookalike


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("&lt;b&gt;", "<b>"),
        ("&amp;amp;lt;", "<"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("in\u200bvis\u00adible\U000e0041", "invisible"),
        ("plain text", "plain text"),
    ],
)
def test_entities_forms_and_what_is_invisible(text, read):
    """Each is read as a reader sees it."""
    assert folded(text) == read


@given(st.text(alphabet=st.characters(max_codepoint=0x7E, min_codepoint=0x20), max_size=40))
def test_an_escaped_text_is_read(text):
    """As if it had not been escaped."""
    assert folded(html.escape(text)) == folded(text)


def test_look_alikes_are_what_they_resemble():
    """Letters and brackets; others stay."""
    for pair in LETTERS.split():
        assert lookalike(pair[0]) == pair[1]
    for char, like in BRACKETS.items():
        assert lookalike(char) == like
    assert lookalike("Ünï 日本") == "ünï 日本"
