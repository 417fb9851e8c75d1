"""Sentences and lines, and comparing them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.sentences import sentences
from recollect.memory.learn.firewall.segments import (
    drop,
    first_person,
    is_marked,
    key,
    negated,
)


@given(st.lists(st.sampled_from(["One. ", "Two!\n", "三。", "four\n\n", "5.5 "]), max_size=8))
def test_taking_some_out_leaves_the_others(parts):
    """What is left falls into the same pieces."""
    text = "".join(parts)
    left = drop(text, lambda part: "Two" in part)
    assert sentences(left.text) == [part for part in sentences(text) if "Two" not in part]


def test_comparing():
    """Case, marks and white space do not matter; words do."""
    assert key(" - **User** lives in\nOslo!") == key("user lives in oslo")
    assert key("Oslo") != key("Bergen")


@pytest.mark.parametrize("text", ["> a", ">> a", "- a", "* a", "1. a", '"a"', "„a“", "  - a"])
def test_marks(text):
    """Quotations and items of lists."""
    assert is_marked(text)
    assert not is_marked(text.strip(' >-*1."„“'))


def test_moods():
    """Who speaks and who denies, in several languages; looking for it never fails."""
    for text in ("I like tea", "meine Katze", "j'aime", "我喜欢茶", "mi gato", "minha casa"):
        assert first_person(text)
    assert not first_person("The build uses pnpm.")
    for text in ("No!", "I don't", "nicht mehr", "不是", "ya no", "住んでいません"):
        assert negated(text)
    assert not negated("You live in Oslo.")
    assert not first_person("\ud800\u0000")
