"""What a text looks like."""

import html
import unicodedata

from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.trust.confusables import LETTERS, MARKS, folded, lookalike
from tests.support.folding import rows

EITHER = {
    ("l", "i"),
    ("l", "|"),
    ("i", "l"),
    ("c", "o"),
    ("y", "t"),
    ("n", "v"),
    ("y", "u"),
    ("l", "1"),
    ("o", "0"),
}
"""A character that resembles two letters reads as the second."""


@rows(
    "text, read",
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


@rows("table", [LETTERS, MARKS])
def test_look_alikes_are_what_they_resemble(table):
    """Each letter, bracket and colon, once; others stay."""
    for like, chars in table.items():
        assert lookalike(chars) == like * len(chars)
    assert lookalike("Ünï 日本") == "ünï 日本"


def test_the_table_is_unicodes():
    """What Unicode's own table confuses with a letter of ours reads as that letter here."""
    for letter in LETTERS:
        for each in confusables_data[letter]:
            char = each["c"].strip("\u200e")
            if len(unicodedata.normalize("NFKC", char)) == 1 and not char.isascii():
                read = lookalike(folded(char))
                assert read == letter or (letter, read) in EITHER, (char, letter, read)
