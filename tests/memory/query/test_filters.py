"""What is read as a filter, whose memories it means, and what it comes to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError, ScopeError
from recollect.memory.model.filters import NOTHING, AllOf, AnyOf, Condition, Not, Operator, field_of
from recollect.memory.model.scope import SCOPE_REQUIRED
from recollect.memory.model.types import MemoryType, Scope
from recollect.memory.query import EVERYTHING, parse, predicate
from recollect.memory.query.filter_json import MAX_CONDITIONS, MAX_LEVELS, MAX_PARTS, MAX_TERMS
from recollect.memory.query.naming import NamedScope, check_filled, check_narrows, scope_in
from recollect.memory.query.simplify import conditions, simplified
from tests.memory.memories.memories import memory
from tests.support.folding import rows


def test_both_dialects_mean_the_same():
    """Named parts, and mem0's keys."""
    named = {"field": "priority", "operator": "gte", "value": 1}
    assert parse(named) == parse({"priority": {"gte": 1}})
    assert parse({"tag": "a"}) == parse({"field": "tag", "operator": "eq", "value": "a"})
    assert parse({"tag": ["a", "b"]}) == parse({"tag": {"in": ["a", "b"]}})
    assert parse({"tag": "*"}) == parse({"tag": {"exists": True}})
    assert parse({"metadata.tag": "a"}) == parse({"tag": "a"})


@rows(
    "said, told",
    [
        ("tag", "expected an object"),
        ({"creatd_at": "2026-01-01"}, "did you mean 'created_at'"),
        ({"tag": {"equals": 1}}, "unknown operator 'equals'"),
        ({"tag": {"greater": 1}}, "unknown operator"),
        ({"priority": {"gtee": 1}}, "did you mean 'gte'"),
        ({"type": "semantical"}, "expected one of semantic"),
        ({"importance": "high"}, "expected a number for 'importance'"),
        ({"importance": float("nan")}, "expected a number"),
        ({"importance": {"gte": 10**309}}, "at most 308 digits"),
        ({"tag": 10**309}, "at most 308 digits"),
        ({"tag": {"in": [float("inf")]}}, "expected a number"),
        ({"created_at": 10**309}, "expected ISO 8601"),
        ({"created_at": True}, "expected ISO 8601"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, "expected ISO 8601"),
        ({"created_at": "yesterday"}, "expected ISO 8601"),
        ({"created_at": {"contains": "2026"}}, "which is no text"),
        ({"tag": {"gt": None}}, "expected a value"),
        ({"tag": {"in": "a"}}, "expected a list"),
        ({"tag": {"eq": {"a": 1}}}, "expected a text, a number"),
        ({"tag": {"icontains": 5}}, "expected a text"),
        ({"tag": {}}, "expected an operator"),
        ({"AND": []}, "expected a list of filters for AND"),
        ({"OR": {"tag": "a"}}, "expected a list of filters for OR"),
        ({"field": "tag", "operator": "eq"}, "expected a value"),
        ({"field": "tag", "operator": "eq", "value": 1, "limit": 3}, "unknown key 'limit'"),
        ({"": 1}, "name of a field"),
        ({"a..b": 1}, "name of a field"),
        ({"tag": "x" * 3000}, "at most 2000 characters"),
        ({"tag": "\ud800"}, "characters"),
    ],
)
def test_bad_filters_say_what_was_expected(said, told):
    """And what was probably meant."""
    with pytest.raises(InvalidInputError, match="filters") as refused:
        parse(said)
    assert told in str(refused.value)


def test_a_long_list_is_one_condition_however_it_is_written():
    """Five hundred ids as five hundred filters are no more work than one list of them."""
    ids = [str(n) for n in range(500)]
    assert parse({"OR": [{"id": each} for each in ids]}) == parse({"id": ids})
    assert parse({"AND": [{"id": {"ne": each}} for each in ids]}) == parse({"id": {"nin": ids}})


def test_large_filters_are_refused():
    """By the number of terms and by their depth, whatever their form."""
    for said in (
        {"OR": [{"tag": n} for n in range(10_000)]},
        {"tag": list(range(10_000))},
        {"AND": [{"tag": {"in": list(range(400))}} for _ in range(3)]},
    ):
        with pytest.raises(InvalidInputError, match=f"at most {MAX_TERMS}"):
            parse(said)
    with pytest.raises(InvalidInputError, match=f"at most {MAX_TERMS}"):
        parse({"AND": [{} for _ in range(MAX_PARTS)]})
    with pytest.raises(InvalidInputError, match=f"at most {MAX_CONDITIONS} times"):
        parse({"OR": [{"memory": {"icontains": str(n)}} for n in range(MAX_CONDITIONS + 1)]})
    deep = {"tag": "a"}
    for _ in range(100):
        deep = {"NOT": deep}
    with pytest.raises(InvalidInputError, match=f"at most {MAX_LEVELS} levels"):
        parse(deep)


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


@rows(
    "due, passes",
    [
        ("2026-03-01", True), ("2026-03-01T23:59:59Z", True), ("2026-03-02T01:00:00+02:00", True),
        ("2026-03-02", False), ("2026-03-05", False), ("soon", False), (5, False), (None, False),
    ],
)  # fmt: skip
def test_a_moment_is_compared_with_moments(due, passes):
    """In any writing; any other text, or a number, is not before it."""
    item = replace(memory(Scope(tenant="t", user_id="m")).item, metadata={"due": due})
    assert predicate(parse({"due": {"lt": "2026-03-02"}}))(item) is passes


SCALARS = [None, 1, 1.0, True, "a", "b", ""]
ITEMS = [
    replace(memory(Scope(tenant="t", user_id="m"), text).item, metadata=metadata, type=kind)
    for text in ("a", "b and A")
    for metadata in ({}, {"k": None}, *({"k": value} for value in (1, True, "a", ["a"], {"a": 1})))
    for kind in (MemoryType.SEMANTIC, MemoryType.EPISODIC)
]
SCALAR = st.sampled_from(SCALARS)
CONDITIONS = (
    st.builds(
        Condition,
        st.sampled_from(["k", "j"]).map(field_of),
        st.sampled_from(["eq", "ne"]).map(Operator),
        SCALAR,
    )
    | st.builds(
        Condition,
        st.just(field_of("k")),
        st.sampled_from([Operator.IN, Operator.NIN]),
        st.lists(SCALAR, max_size=3).map(tuple),
    )
    | st.builds(
        Condition,
        st.just(field_of("memory")),
        st.sampled_from([Operator.CONTAINS, Operator.ICONTAINS]),
        st.sampled_from(["", "a", "A"]),
    )
    | st.builds(
        Condition,
        st.sampled_from(["id", "user_id", "k"]).map(field_of),
        st.just(Operator.EXISTS),
        st.just(True),
    )
    | st.builds(
        Condition,
        st.just(field_of("type")),
        st.just(Operator.IN),
        st.lists(st.sampled_from([kind.value for kind in MemoryType]), max_size=5).map(tuple),
    )
)
FILTERS = st.recursive(
    CONDITIONS,
    lambda below: (
        st.lists(below, max_size=4).map(tuple).map(AllOf)
        | st.lists(below, max_size=4).map(tuple).map(AnyOf)
        | below.map(Not)
    ),
    max_leaves=8,
)


@given(FILTERS)
def test_within_a_scope_it_means_the_same_for_its_memories(found):
    """All of which have its ids."""
    scope = ITEMS[0].scope
    before, after = predicate(found), predicate(simplified(found, scope))
    assert [before(item) for item in ITEMS] == [after(item) for item in ITEMS]


def is_(name, value, operator=Operator.EQ):
    return Condition(field_of(name), operator, value)


def test_a_list_that_is_written_as_many_conditions_is_one():
    """A value each, in either way."""
    some = AnyOf(tuple(is_("k", value) for value in range(1000)))
    none = AllOf(tuple(is_("k", value, Operator.NE) for value in range(1000)))
    assert simplified(some) == is_("k", tuple(range(1000)), Operator.IN)
    assert simplified(none) == is_("k", tuple(range(1000)), Operator.NIN)
    assert conditions(AllOf((some, is_("j", 1)))) == 1001
    assert conditions(simplified(AllOf((some, Not(is_("j", 1)))))) == 2


@rows(
    "found",
    [
        AllOf((AllOf(()),)),
        AnyOf((AllOf(()), is_("k", 1))),
        Not(AnyOf(())),
        is_("id", True, Operator.EXISTS),
        is_("memory", "", Operator.ICONTAINS),
        is_("k", (), Operator.NIN),
        is_("source", None, Operator.NE),
        is_("type", tuple(kind.value for kind in MemoryType), Operator.IN),
    ],
)
def test_what_every_memory_has_is_no_filter(found):
    """However it is written."""
    assert simplified(found) == EVERYTHING
    assert simplified(Not(found)) == NOTHING


def test_the_ids_of_a_scope_narrow_nothing_in_it():
    """Outside of it they do."""
    alice = Scope(tenant="t", user_id="alice")
    for found in (
        is_("user_id", "alice"),
        is_("user_id", True, Operator.EXISTS),
        is_("user_id", ("bob", "alice"), Operator.IN),
    ):
        assert simplified(found, alice) == EVERYTHING
        assert simplified(found) == found
        assert simplified(found, Scope(tenant="t", agent_id="x")) == found
    assert simplified(is_("user_id", "bob"), alice) != EVERYTHING
