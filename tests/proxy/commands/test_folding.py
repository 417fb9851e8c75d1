import pytest

from recollect.proxy.commands.folding import LEAST_WIDTH, folded, plain


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\r\nb", "a\u202eb", "a\u2028b", "a\x9bb"])
def test_a_terminal_obeys_no_memory(text):
    """Control characters, line ends and changes of direction are blanks."""
    assert plain(text).split()[0] == "a"
    assert plain(text).isprintable()


def test_lines_are_narrow_enough():
    """Each begins with the indent; a narrow terminal gets lines that can still be read."""
    lines = folded("tea " * 40, 50, "  ")
    assert all(line.startswith("  tea") and len(line) <= 50 for line in lines)
    assert max(map(len, folded("tea " * 40, 5))) <= LEAST_WIDTH
    assert folded("", 50) == []
