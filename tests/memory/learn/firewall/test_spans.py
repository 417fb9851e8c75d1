"""Cuts pieces and sentences out of a text and keeps the rest unchanged. Pure."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.words import sentences
from recollect.memory.learn.firewall.spans import Piece, cut, drop, first_person, negated


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5)
)
def test_what_is_outside_stays(text, pairs):
    """Each character outside of all pieces stays, and no other; overlaps count as they are met."""
    spans = sorted(Piece(min(p), min(max(p), len(text))) for p in pairs if min(p) < len(text))
    left = cut(text, spans)
    inside = {at for start, end in spans for at in range(start, end)}
    assert left.text == "".join(c for at, c in enumerate(text) if at not in inside)
    assert left.pieces <= len(spans)


@given(st.lists(st.sampled_from(["One. ", "Two!\n", "三。", "four\n\n", "5.5 "]), max_size=8))
def test_taking_some_out_leaves_the_others(parts):
    """What is left falls into the same pieces."""
    text = "".join(parts)
    left = drop(text, lambda part: "Two" in part)
    assert sentences(left.text) == [part for part in sentences(text) if "Two" not in part]


def test_moods():
    """Who speaks and who denies, in several languages; looking for it never fails."""
    for text in ("I like tea", "meine Katze", "j'aime", "我喜欢茶", "mi gato", "minha casa"):
        assert first_person(text)
    assert not first_person("The build uses pnpm.")
    for text in ("No!", "I don't", "nicht mehr", "不是", "ya no", "住んでいません"):
        assert negated(text)
    assert not negated("You live in Oslo.")
    assert not first_person("\ud800\u0000")
