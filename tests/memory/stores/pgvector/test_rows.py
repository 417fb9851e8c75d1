"""Values of a row: what PostgreSQL cannot hold comes back all the same."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from recollect.memory.stores.pgvector.rows import values_of, vector_of
from recollect.memory.stores.pgvector.schema import TYPES
from recollect.memory.stores.pgvector.text import escaped, escaped_json, unescaped
from tests.memory.stores.memories import DIM, memory
from tests.support.budget import examples

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


@settings(max_examples=examples(50))
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_comes_back(text):
    """No NUL is sent, and nothing is lost."""
    assert "\x00" not in escaped(text)
    assert unescaped(escaped(text)) == text


def test_json_is_escaped_all_through():
    """Keys too, and in lists."""
    assert escaped_json({"a\x00": ["\x00", {"b": 1, "c": None}]}) == {
        escaped("a\x00"): [escaped("\x00"), {"b": 1, "c": None}]
    }
