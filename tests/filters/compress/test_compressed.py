"""Which messages of a request do not go upstream."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.compress.compressed import Compressed


@given(st.sets(st.integers(0, 30)))
def test_exactly_the_messages_of_the_ranges_are_taken(gone):
    """Whatever the ranges are, and before, between and behind them."""
    ranges = tuple(range(at, at + 1) for at in sorted(gone))
    found = Compressed(ranges, (), 31, "", frozenset(), ())
    assert {index for index in range(35) if found.takes(index)} == gone
