"""What every store refuses."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.stores.checks import checked_vector


def test_vector_is_taken_as_float32():
    """Any array of numbers of the right length will do."""
    taken = checked_vector(np.array([1.0, 0.0]), 2)
    assert taken.dtype == np.float32
    assert taken.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("bad", [np.zeros(3), np.zeros((2, 1)), np.array([np.inf, 0.0])])
def test_anything_else_is_named(bad):
    """Another shape or a non-number is an InvalidInputError about the vector."""
    with pytest.raises(InvalidInputError) as refusal:
        checked_vector(bad, 2)
    assert refusal.value.field == "vector"
