"""Filters as values."""

from recollect.memory.model.filters import AllOf
from recollect.memory.query import EVERYTHING, both, parse

ONE, OTHER = parse({"tag": "a"}), parse({"NOT": {"tag": "b"}})


def test_filters_are_combined():
    """What holds always is left out."""
    assert both() == both(EVERYTHING, EVERYTHING) == EVERYTHING
    assert both(ONE, EVERYTHING) == ONE
    assert both(ONE, OTHER) == AllOf((ONE, OTHER))
