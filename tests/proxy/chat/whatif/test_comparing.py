"""How far two answers are apart."""

from recollect.proxy.chat.whatif.comparing import distance, is_same
from tests.support.folding import rows


@rows(
    "one, other, apart",
    [
        ("Green tea.", "Green  tea.\n", 0.0),
        ("", "", 0.0),
        ("tea", "", 1.0),
        ("abcdef", "uvwxyz", 1.0),
        ("她喝茶不加糖", "她喝茶不加糖", 0.0),
    ],
)
def test_the_ends_of_the_scale(one, other, apart):
    """The same words are 0 apart, nothing in common is 1, in any script and either order."""
    assert distance(one, other) == distance(other, one) == apart
    assert is_same(one, other) == (apart == 0.0)


def test_more_of_another_wording_is_farther_away():
    """A changed word is less than another answer, and case alone is no distance."""
    base = "You like green tea every morning."
    near = distance(base, "You like black tea every morning.")
    far = distance(base, "I do not know what you drink.")
    assert 0 < near < far < 1
    assert distance(base, base.upper()) == 0
    assert distance("她喝茶不加糖", "她喝茶加糖") < distance("她喝茶不加糖", "我不知道")
