"""What a deletion asks of its filter."""

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from recollect.memory.query.narrowing import check_filled, check_narrows

TAG = {"tag": "work"}
EMPTY = [
    {},
    {"AND": [{}]},
    {"OR": [{}]},
    {"NOT": {}},
    {"NOT": [{}]},
    {"AND": [TAG, {}]},
    {"OR": [TAG, {"AND": [{}]}]},
    {"metadata": {}},
]
"""A part of each has no condition."""
TRUE = [
    {"id": {"exists": True}},
    {"id": "*"},
    {"user_id": "*"},
    {"user_id": "alice"},
    {"OR": [TAG, {"memory": {"contains": ""}}]},
    {"tag": {"nin": []}},
    {"type": ["semantic", "episodic", "procedural", "reflective"]},
]
"""Each holds for every memory of alice."""


@pytest.mark.parametrize("said", EMPTY)
def test_an_empty_part_is_refused(said):
    """Its condition may have been lost on the way."""
    for check in (check_narrows, check_filled):
        with pytest.raises(InvalidInputError, match="empty") as refused:
            check(said)
        assert refused.value.field == "filters"


@pytest.mark.parametrize("said", TRUE)
def test_what_holds_for_every_memory_is_refused(said):
    """It is no filter."""
    with pytest.raises(InvalidInputError, match="every memory"):
        check_narrows(said, Scope(tenant="t", user_id="alice"))


@pytest.mark.parametrize(
    "said",
    [None, TAG, {"tag": ""}, {"tag": None}, {"AND": [TAG, {"NOT": TAG}]}, {"user_id": "bob"}],
)
def test_what_narrows_may_delete(said):
    """Without a filter the caller says what is meant."""
    check_narrows(said, Scope(tenant="t", user_id="alice"))


def test_the_field_is_named():
    """As the request names it."""
    with pytest.raises(InvalidInputError) as refused:
        check_filled({}, "metadata")
    assert refused.value.field == "metadata"
