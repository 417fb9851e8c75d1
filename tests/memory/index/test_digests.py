"""Names as numbers."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.index.digests import digest, mark_of, marks_of
from recollect.memory.index.port import MAX_MARKS
from recollect.memory.model.filters import Condition, Operator, field_of
from recollect.memory.model.inputs import MAX_METADATA_BYTES
from recollect.memory.query.evaluate import _test

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.text(max_size=2)


@given(st.lists(st.text(max_size=3), max_size=3), st.lists(st.text(max_size=3), max_size=3))
def test_other_parts_have_another_digest(one, other):
    """Parts are told apart: `a` of tenant `bc` is not `ab` of tenant `c`."""
    assert (digest(*one) == digest(*other)) is (one == other)
    assert -(2**63) <= digest(*one) < 2**63
    assert digest(*one) != 0


def test_what_is_not_set_is_nought():
    """A memory without an agent is told from every memory with one."""
    assert digest("acme", None) == 0


@given(SCALARS, SCALARS)
def test_values_have_one_mark_exactly_if_a_filter_takes_them_for_equal(stored, asked):
    """The index leaves out no memory that the filter admits, and in one value admits no other."""
    same = _test(Operator.EQ, asked, str.casefold)(stored)
    if asked is None:
        assert mark_of(["key"], asked) is None
    else:
        assert same is (mark_of(["key"], stored) == mark_of(["key"], asked))


def test_marks_lie_inside_objects_too():
    """A filter reads `car.colour` inside an object; a key with a dot is another one."""
    condition = Condition(field_of("car.colour"), Operator.EQ, "red")
    mark = mark_of(condition.field.path, condition.value)
    assert mark in marks_of({"car": {"colour": "red", "doors": [4]}, "n": None})
    assert mark not in marks_of({"car.colour": "red"})


def test_the_largest_metadata_has_fewer_marks_than_a_row_may_have():
    """Eight bytes a pair at the least: the shortest keys are soon used up."""
    assert MAX_METADATA_BYTES // 8 <= MAX_MARKS
