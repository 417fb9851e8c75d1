"""What each field takes, and that its schema says the same."""

import contextlib
from datetime import UTC, datetime

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import InvalidInputError
from recollect.memory.model.types import JobState
from recollect.proxy.api import fields
from recollect.proxy.api.fields import Field, choice, in_query, moment, text, whole

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
ALL = tuple(
    each
    for found in vars(fields).values()
    for each in (found if isinstance(found, tuple) else (found,))
    if isinstance(each, Field)
)
JUDGED_LATER = {"messages", "metadata", "text", "threshold", "user_id", "agent_id", "run_id"}
"""By the library, which names the part that is wrong."""


def refused(call, *args):
    """The field that a refusal names."""
    with pytest.raises(InvalidInputError) as caught:
        call(*args)
    return caught.value.field


def test_what_is_not_there():
    """It has its default, or it is missed by its name."""
    assert text("prompt", "").value({}) is None
    assert whole("limit", "", high=9, default=3).value({}) == 3
    assert choice("state", "", JobState, None).value({}) is None
    assert fields.INFER.value({}) is True
    assert refused(fields.MESSAGES.value, {}) == "messages"


def test_what_is_there():
    """It is read as its kind, or refused by its name."""
    limit, state = whole("limit", "", high=9, default=3), fields.JOB_STATE
    assert limit.value({"limit": 9}) == 9
    assert state.value({"state": "dead"}) is JobState.DEAD
    for value in (0, 10, True, "3", 1.5, None, [], 10**400):
        assert refused(limit.value, {"limit": value}) == "limit"
    for value in ("lost", None, [], {}, True):
        assert refused(state.value, {"state": value}) == "state"
    for value in (7, [], "\ud800"):
        assert refused(fields.PROMPT.value, {"prompt": value}) == "prompt"
    for value in ("a", ["a", 1], {}, None, ["a"] * (fields.MAX_IDS + 1)):
        assert refused(fields.KEEP.value, {"keep": value}) == "keep"
    for value in (1, "true", None):
        assert refused(fields.ALL.value, {"all": value}) == "all"


def test_texts_of_a_query():
    """Numbers are what JSON would write; nothing that Python alone reads as one."""
    limit, threshold = fields.LIMIT, fields.THRESHOLD
    assert (limit.from_query("5"), threshold.from_query("-0.5e0")) == (5, -0.5)
    assert fields.Q.from_query("5") == "5"
    for said in ("5.5", "many", "", " 5", "+5", "1_0", "\u0665", "9" * 5000, "0x5", "NaN"):
        assert refused(limit.from_query, said) == "limit"
    for said in ("high", "", "nan", "inf", "1e4000", "1_0", "\u0665", "--1"):
        assert refused(threshold.from_query, said) == "threshold"


def test_a_query_has_no_null():
    """What a body may spell as null, a query leaves out."""
    [user, limit] = in_query((fields.SCOPE[0], fields.LIMIT))
    assert user.schema["type"] == "string"
    assert limit is fields.LIMIT


@pytest.mark.parametrize("value", ["2026-03-01T10:00:00Z", "2026-03-01T11:00:00+01:00", 1772359200])
def test_moments(value):
    """ISO 8601 and seconds since the epoch name the same moment."""
    assert moment("timestamp", value) == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("value", ["yesterday", "", True, [], {}, 1e300, float("nan"), -(10**30)])
def test_what_is_no_moment(value):
    """It is refused by its name, however far out of the calendar it is."""
    assert refused(moment, "timestamp", value) == "timestamp"


@given(value=ANYTHING)
def test_nothing_else_is_raised(value):
    """Whatever JSON holds, a field reads it or refuses it by its own name."""
    refusals = []
    for field in ALL:
        try:
            field.value({field.name: value})
        except InvalidInputError as error:
            refusals.append((error.field, field.name))
    assert all(named == own for named, own in refusals)


@given(value=ANYTHING)
def test_the_schemas_take_what_is_read(value):
    """A value that a field's reader takes is one that the document allows."""
    for field in ALL:
        if field.name in JUDGED_LATER:
            continue
        with contextlib.suppress(InvalidInputError):
            field.value({field.name: value})
            jsonschema.validate(value, field.schema)


def test_the_schemas_are_schemas():
    """Every one, and a default is one of its own values."""
    for field in ALL:
        jsonschema.Draft202012Validator.check_schema(field.schema)
        if "default" in field.schema:
            jsonschema.validate(field.schema["default"], field.schema)
