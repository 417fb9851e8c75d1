"""Cutting pieces out of a text."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.firewall.spans import (
    MAX_LINE,
    Piece,
    cut,
    line_end,
    line_start,
    over_newline,
)


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


def test_nothing_cut_is_the_same_text():
    """Not even a copy."""
    text = "x" * 1000
    assert cut(text, []).text is text


def test_lines():
    """Where they begin and end; an endless one is looked back on for some way only."""
    assert [line_start("ab\ncd", at) for at in (0, 1, 3, 5)] == [0, 0, 3, 3]
    assert [line_end("ab\ncd", at) for at in (0, 2, 3, 5)] == [3, 3, 5, 5]
    assert line_start("x" * 10_000, 9000) == 9000 - MAX_LINE
    assert (over_newline("a\nb", 1), over_newline("ab", 1)) == (2, 1)
