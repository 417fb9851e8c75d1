"""Values of a row: what PostgreSQL cannot hold comes back all the same."""

import json

import numpy as np
import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from recollect.memory.stores.pgvector.rows import values_of, vector_of
from recollect.memory.stores.pgvector.schema import TYPES
from tests.memory.stores.memories import DIM, memory

ALICE = Scope(tenant="t", user_id="alice")


def test_metadata_for_filters_is_json():
    """It is written beside the text that is read, with the same keys."""
    row = dict(
        zip(
            TYPES, values_of(memory(ALICE, metadata={"a": [1, {"b": "x"}]}), DIM, None), strict=True
        )
    )
    assert json.loads(row["facets"]) == {"a": [1, {"b": "x"}]}
    assert row["terms"] == []


def test_a_vector_is_read_as_it_was_sent():
    """Two integers of 16 bits are followed by big-endian floats."""
    sent = b"\x00\x03\x00\x00" + np.array([1.5, -2.0, 0.1], ">f4").tobytes()
    assert vector_of(sent).tolist() == [1.5, -2.0, np.float32(0.1)]
    assert vector_of(sent).dtype == np.float32


def test_a_wrong_vector_is_named():
    """A vector of other dimensions is refused before anything is written."""
    with pytest.raises(InvalidInputError, match="vector"):
        values_of(memory(ALICE), DIM + 1, None)
