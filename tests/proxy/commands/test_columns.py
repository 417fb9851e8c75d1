"""Text in the columns of a terminal."""

from recollect.proxy.commands.columns import columns, cut, left, right, wrapped
from tests.support.folding import rows

CHINESE = "她喝茶不加糖"


@rows(
    "text, wide",
    [("tea", 3), (CHINESE, 12), ("e\u0301te\u0301", 3), ("שלום", 4), ("ｔｅａ", 6), ("", 0)],
)
def test_a_text_takes_columns(text, wide):
    """Wide characters take two, combining marks none, Hebrew one each."""
    assert columns(text) == wide
    assert columns(left(text, 20)) == columns(right(text, 20)) == 20


def test_a_text_is_cut_where_the_room_ends():
    """With an ellipsis; half a wide character is never shown, and what fits is left alone."""
    assert cut(CHINESE, 12) == CHINESE
    assert cut(CHINESE, 8) == "她喝茶\u2026"
    assert columns(cut(CHINESE, 7)) == 7
    assert columns(cut(CHINESE, 6)) == 5


@rows("wide", [2, 7, 40])
@rows("text", [CHINESE * 9, "tea with " * 9 + CHINESE, "x" * 99, "a bc"])
def test_lines_fit_and_nothing_is_lost(text, wide):
    """Words are broken only if a line is too short for them."""
    lines = wrapped(text, wide)
    assert all(columns(line) <= wide for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
