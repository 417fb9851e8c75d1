import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import InvalidInputError
from proxy.api.fields import (
    flag,
    number,
    only,
    optional_text,
    page_of,
    scope_ids,
    texts,
    timestamp_of,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def refused(call, *args, **kwargs):
    """The field that a refusal names."""
    with pytest.raises(InvalidInputError) as caught:
        call(*args, **kwargs)
    return caught.value.field


def test_scope_ids():
    """Whose memories are meant is read as it is, and nothing else with it."""
    given_ids = {"user_id": "alice", "run_id": 7, "tenant": "other"}
    assert scope_ids(given_ids) == {"user_id": "alice", "agent_id": None, "run_id": 7}


def test_pages():
    """What a query does not name is left to its default."""
    assert page_of({}) == {}
    assert page_of({"limit": "5", "status": "archived"}) == {"limit": 5, "status": "archived"}
    assert refused(page_of, {"limit": "5.5"}) == "limit"


def test_numbers():
    """A number is one, or the field is named."""
    assert (number("limit", "5", int), number("threshold", "0.5", float)) == (5, 0.5)
    assert refused(number, "threshold", "high", float) == "threshold"


@pytest.mark.parametrize("value", ["2026-03-01T10:00:00Z", "2026-03-01T11:00:00+01:00", 1772359200])
def test_moments(value):
    """ISO 8601 and seconds since the epoch name the same moment."""
    assert timestamp_of(value) == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("value", ["yesterday", "", True, [], {}, 1e300, float("nan"), -(10**30)])
def test_what_is_no_moment(value):
    """It is refused by its name, however far out of the calendar it is."""
    assert refused(timestamp_of, value) == "timestamp"


def test_texts_and_flags():
    """What is missing has its default; what is of another kind is refused."""
    assert (texts({}, "ids"), texts({"ids": ["a"]}, "ids")) == ([], ["a"])
    assert optional_text({}, "prompt") is None
    assert flag({}, "infer", default=True) is True
    assert flag({"infer": False}, "infer", default=True) is False
    assert refused(texts, {"ids": ["a", 1]}, "ids") == "ids"
    assert refused(optional_text, {"prompt": 1}, "prompt") == "prompt"
    assert refused(flag, {"infer": 1}, "infer", default=True) == "infer"


def test_a_field_that_nobody_reads():
    """It is a mistake, and the first of them is named."""
    only({"a": 1}, frozenset({"a", "b"}))
    assert refused(only, {"a": 1, "z": 1, "c": 1}, frozenset({"a"})) == "c"


@given(value=ANYTHING)
def test_nothing_else_is_raised(value):
    """Whatever JSON holds, a reader answers with its kind or refuses by name."""
    readers = (
        (timestamp_of, (value,), (datetime, type(None))),
        (texts, ({"f": value}, "f"), list),
        (optional_text, ({"f": value}, "f"), (str, type(None))),
        (lambda body: flag(body, "f", default=True), ({"f": value},), bool),
    )
    for read, arguments, kind in readers:
        with contextlib.suppress(InvalidInputError):
            assert isinstance(read(*arguments), kind)
