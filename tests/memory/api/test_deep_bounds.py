"""How much a deep recall may take."""

from recollect.memory.api.deep_bounds import SECONDS, TOKENS, SearchBounds, bounds_of
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
