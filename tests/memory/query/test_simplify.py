"""What filters come to."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.filters import NOTHING, AllOf, AnyOf, Condition, Not, Operator, field_of
from recollect.memory.model.types import MemoryType, Scope
from recollect.memory.query import EVERYTHING, predicate
from recollect.memory.query.simplify import conditions, simplified
from tests.memory.stores.memories import memory
from tests.support.folding import rows

VALUES = [None, 1, 1.0, True, "a", "b", ""]
ITEMS = [
    replace(memory(Scope(tenant="t", user_id="m"), text).item, metadata=metadata, type=kind)
    for text in ("a", "b and A")
    for metadata in ({}, {"k": None}, *({"k": value} for value in (1, True, "a", ["a"], {"a": 1})))
    for kind in (MemoryType.SEMANTIC, MemoryType.EPISODIC)
]
SCALAR = st.sampled_from(VALUES)
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
def test_it_means_the_same(found):
    """For every memory, with no more conditions than before."""
    fewer = simplified(found)
    before, after = predicate(found), predicate(fewer)
    assert [before(item) for item in ITEMS] == [after(item) for item in ITEMS]
    assert conditions(fewer) <= conditions(found)


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
