"""The one hit that a user may mean where no word tells."""

from types import SimpleNamespace

from recollect.memory.forget.clearest import clearest, nearest_of


def chosen(*cosines, **bounds):
    hits = [SimpleNamespace(item=cosine, cosine=cosine) for cosine in cosines]
    return clearest(nearest_of(hits), **bounds)


def test_the_nearest_is_meant_if_nothing_else_is_near():
    """By far, and near at all: of what is not stored something is the nearest too."""
    assert chosen(0.2, 0.5, 0.3) == [0.5]
    assert chosen(0.5) == [0.5]
    assert chosen(0.5, 0.45) == chosen(0.1, 0.0) == chosen() == []


def test_what_stays_may_be_told_apart_less_clearly():
    """The bounds are the caller's."""
    assert chosen(0.5, 0.45, apart=0.0) == [0.5]
