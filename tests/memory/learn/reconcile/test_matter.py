import pytest

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.reconcile.matter import is_one_matter

MINILM = calibration_for("all-MiniLM-L6-v2", dim=384)


@pytest.mark.parametrize(
    ("one", "other", "cosine", "linked"),
    [
        ("User lives in Graz", "User moved to Trieste", MINILM.update, True),
        ("User's rent is 900 EUR", "User's rent is 950 EUR", 0.0, True),
        ("User likes tea", "User's car is red", 0.0, False),
        ("User likes strong tea in the garden", "User waters the garden daily", 0.4, True),
        ("User likes strong tea in the garden", "User waters the garden daily", 0.0, False),
    ],
)
def test_what_may_be_one_matter(one, other, cosine, linked):
    """A near meaning, half of the words, or one word and a related meaning."""
    assert is_one_matter(one, other, cosine, MINILM) is linked


def test_without_a_calibration_words_tell():
    """A cosine means nothing then, however high."""
    assert not is_one_matter("User lives in Graz", "User moved to Trieste", 0.99, SAFE)
    assert is_one_matter("User lives in Graz", "User's flat in Graz is small", 0.0, SAFE)


def test_what_the_user_is_called_links_nothing():
    """Every memory begins with it."""
    assert not is_one_matter("User swims", "User paints", 0.0, SAFE)
