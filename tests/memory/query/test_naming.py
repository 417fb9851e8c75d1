"""Whose memories a filter means, and whether it leaves something out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError, ScopeError
from recollect.memory.model.scope import SCOPE_REQUIRED
from recollect.memory.model.types import Scope
from recollect.memory.query import NamedScope, scope_in
from recollect.memory.query.filter_json import MAX_LEVELS
from recollect.memory.query.naming import check_filled, check_narrows
from tests.support.folding import rows

TAG = {"tag": "work"}
NAMED = {"field": "user_id", "operator": "eq", "value": "ada"}


@rows(
    "filters, ids, rest",
    [
        ({"user_id": "ada"}, {"user_id": "ada"}, None),
        ({"user_id": {"eq": "ada"}}, {"user_id": "ada"}, None),
        (NAMED, {"user_id": "ada"}, None),
        ({"AND": [NAMED, TAG]}, {"user_id": "ada"}, TAG),
        ({"agent_id": "a", "run_id": "r"}, {"agent_id": "a", "run_id": "r"}, None),
        ({"user_id": "ada", **TAG}, {"user_id": "ada"}, TAG),
        ({"AND": ({"user_id": "ada"}, {"AND": [TAG]})}, {"user_id": "ada"}, TAG),
        ({"user_id": "ada", "AND": [{"user_id": "ada"}]}, {"user_id": "ada"}, None),
        (
            {"user_id": "ada", "OR": [{"run_id": "x"}, {"run_id": "y"}], "agent_id": "*"},
            {"user_id": "ada"},
            {"AND": [{"OR": [{"run_id": "x"}, {"run_id": "y"}]}, {"agent_id": "*"}]},
        ),
        ({"user_id": 7}, {"user_id": 7}, None),
    ],
)
def test_one_exact_id_is_a_scope(filters, ids, rest):
    """At the top or in AND, however it is written; what is left is a condition within it."""
    assert scope_in(filters) == NamedScope(ids, rest)


@rows(
    "filters, why",
    [
        ({"user_id": ["ada"]}, "user_id is a list"),
        ({"user_id": "*"}, "user_id is '*'"),
        ({"user_id": None}, "user_id is null"),
        ({"user_id": {"in": ["ada", "bob"]}}, "user_id is compared by in"),
        ({"user_id": {"ne": "ada"}}, "user_id is compared by ne"),
        ({"OR": [{"user_id": "ada"}, {"agent_id": "a"}]}, "user_id is within OR"),
        ({**TAG, "NOT": {"agent_id": "a"}}, "agent_id is within NOT"),
        ({"AND": [{"OR": [TAG, {"AND": [NAMED]}]}]}, "user_id is within OR"),
        ({**NAMED, "operator": "contains"}, "user_id is compared by contains"),
        ({**NAMED, "operator": ["eq"]}, "user_id is compared by"),
    ],
)
def test_anything_cleverer_is_refused_by_name(filters, why):
    """It does not say whose memories are meant; the error says which id, and why not."""
    with pytest.raises(ScopeError) as refused:
        scope_in(filters)
    assert str(refused.value).startswith(SCOPE_REQUIRED)
    assert why in str(refused.value)


@rows("filters", [{}, TAG, {"NOT": TAG}])
def test_without_any_id(filters):
    """The sentence that clients know, and nothing else."""
    with pytest.raises(ScopeError) as refused:
        scope_in(filters)
    assert str(refused.value) == SCOPE_REQUIRED


@rows(
    "filters, field",
    [
        ({"user_id": "ada", "AND": [{"user_id": "bob"}]}, "user_id"),
        ("ada", "filters"),
        ({"AND": ["ada"]}, "filters"),
    ],
)
def test_contradictions_and_no_objects(filters, field):
    """Two users are nobody's scope."""
    with pytest.raises(InvalidInputError) as refused:
        scope_in(filters)
    assert refused.value.field == field


def test_levels_are_bounded():
    """Before a stack would end."""
    deep = {"user_id": "ada"}
    for _ in range(MAX_LEVELS + 5):
        deep = {"AND": [deep]}
    with pytest.raises(InvalidInputError, match="levels"):
        scope_in(deep)
    deep = {"user_id": "ada"}
    for _ in range(2000):
        deep = {"OR": [deep]}
    with pytest.raises(ScopeError):
        scope_in(deep)


NAMES = st.sampled_from(["AND", "OR", "NOT", "user_id", "run_id", "field", "operator", "value"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["*", "eq", "ada", "user_id"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_any_object_is_read_or_refused(said):
    """No other error comes of it, and a scope has at least one id."""
    try:
        found = scope_in(said)
    except (InvalidInputError, ScopeError):
        return
    assert found.ids


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


@rows("said", EMPTY)
def test_an_empty_part_is_refused(said):
    """Its condition may have been lost on the way."""
    for check in (check_narrows, check_filled):
        with pytest.raises(InvalidInputError, match="empty") as refused:
            check(said)
        assert refused.value.field == "filters"


@rows("said", TRUE)
def test_what_holds_for_every_memory_is_refused(said):
    """It is no filter."""
    with pytest.raises(InvalidInputError, match="every memory"):
        check_narrows(said, Scope(tenant="t", user_id="alice"))


@rows(
    "said",
    [None, TAG, {"tag": ""}, {"tag": None}, {"AND": [TAG, {"NOT": TAG}]}, {"user_id": "bob"}],
)
def test_what_narrows_may_delete(said):
    """Without a filter the caller says what is meant."""
    check_narrows(said, Scope(tenant="t", user_id="alice"))
