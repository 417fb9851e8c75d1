import pytest

from recollect.memory.embedders.text import fit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("日本語", "日本語"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83db", "a\ufffdb"),
        ("\ude00", "\ufffd"),
        ("", ""),
    ],
)
def test_surrogates(text, expected):
    """Pairs are joined, lone halves replaced, everything else is left alone."""
    assert fit(text, 100) == expected


def test_cut():
    """Nothing beyond the limit is looked at, and a pair cut in two is repaired."""
    assert fit("abcdef", 3) == "abc"
    assert fit("ab\ud83d\ude00", 3) == "ab\ufffd"
