import pytest

from recollect.memory.learn.reconcile.replaced import left_behind, lives_in


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("User moved from New York to Graz", ("new", "york")),
        ("L'utente si \u00e8 trasferito da Roma a Bari", ("roma",)),
        ("User moved from Graz", ()),
        ("User's mother moved from Graz to Bonn", ()),
        ("User likes Graz", ()),
    ],
)
def test_the_place_that_was_left(text, place):
    """Only of the user, and only for another one."""
    assert left_behind(text) == place


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("User lives in Graz", True),
        ("User is based in Graz", True),
        ("User lives in Graz with two cats", False),
        ("User works in Graz", False),
        ("User's mother lives in Graz", False),
        ("User does not live in Graz", False),
    ],
)
def test_who_lives_there(text, so):
    """Nothing else may be told: it would end with it."""
    assert lives_in(text, ("graz",)) is so
