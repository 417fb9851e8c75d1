"""How much a deep recall may take."""

import pytest

from recollect.memory.api.deep_bounds import SECONDS, TOKENS, SearchBounds, bounds_of
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.inputs import DEFAULT_ITERATIONS
from tests.support.folding import rows


@rows(
    "given, iterations",
    [
        ({}, DEFAULT_ITERATIONS),
        ({"max_iterations": 5}, 5),
        ({"rounds": 1}, 1),
        ({"rounds": 2, "max_iterations": 2}, 2),
        ({"rounds": None, "max_iterations": None}, DEFAULT_ITERATIONS),
    ],
)
def test_the_old_name_is_still_read(given, iterations):
    """Either means how often is searched."""
    assert bounds_of(**given) == SearchBounds(iterations, TOKENS, SECONDS)


@rows(
    "given, named",
    [
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_iterations": 6}, "max_iterations"),
        ({"max_iterations": "3"}, "max_iterations"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 1, "max_iterations": 2}, "rounds"),
        ({"tokens": 0}, "tokens"),
        ({"seconds": 0}, "seconds"),
    ],
)
def test_a_wrong_bound_is_named(given, named):
    """By the name that it was given by; two names that differ are refused."""
    with pytest.raises(InvalidInputError) as refused:
        bounds_of(**given)
    assert refused.value.field == named
