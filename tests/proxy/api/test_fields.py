"""What each field of a request takes, and that its schema says the same."""

from datetime import UTC, datetime

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import (
    fields_of,
    moment,
    values_of,
)
from recollect.proxy.api.schemas import body_schema
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from recollect.proxy.api.tools import TOOL_OPERATIONS
from tests.support.folding import rows
from tests.support.tool_calls import bodies

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
MODELS = sorted(
    {each for one in (*ALL, *SERVER_OPERATIONS) for each in (one.query, one.body) if each},
    key=lambda model: model.__name__,
)
AddBody, FeedbackBody = (
    next(each.body for each in ALL if each.id == name) for name in ("add", "feedback")
)
NAMED = {}
SCHEMAS = {model: body_schema(model, NAMED)["properties"] for model in MODELS}
JUDGED_LATER = {
    "messages", "metadata", "text", "threshold", "user_id", "agent_id", "run_id", "filters",
    "status", "statuses", "kinds", "types", "multi_query", "hyde", "to", "requests", "outcome", "fusion",
    "conversation", "created_from", "created_to", "valid_from", "valid_to", "as_of", "known_at",
    "to_user_id", "to_agent_id", "to_run_id", "rules",
}  # fmt: skip
"""By the library, which names the part that is wrong."""
DIFFERENT = {
    (name, str(schema)): (
        model,
        name,
        jsonschema.Draft202012Validator({**schema, "components": {"schemas": NAMED}}),
    )
    for model, schemas in SCHEMAS.items()
    for name, schema in schemas.items()
}
"""Each kind of field once, in one of its models."""
NEEDED = {"question": "x", "query": "x", "messages": "x", "feedback": "positive", "schema": {}}
"""Values of fields that must be there."""
OF_TOOLS = {each.body: bodies()[each.id] for each in TOOL_OPERATIONS if each.body}
"""The same of tools: each takes other arguments."""


def read(model, **said):
    return values_of(model, needed(model) | said)


def needed(model):
    if model in OF_TOOLS:
        return OF_TOOLS[model]
    return {name: NEEDED[name] for name, field in fields_of(model).items() if field.is_required()}


def refused(model, **said):
    """What is said of a request."""
    with pytest.raises(InvalidInputError) as caught:
        values_of(model, said)
    return str(caught.value)


OPERATIONS = {each.id: each for each in ALL}
JOBS, FEEDBACK = OPERATIONS["list_jobs"].query, OPERATIONS["feedback"].body
FORGET = OPERATIONS["forget"].body


@rows("value", ["2026-03-01T10:00:00Z", "2026-03-01T11:00:00+01:00", 1772359200])
def test_moments(value):
    """ISO 8601 and seconds since the epoch name the same moment."""
    assert moment("timestamp", value) == datetime(2026, 3, 1, 10, tzinfo=UTC)


@rows("value", ["yesterday", "", True, [], {}, 1e300, float("nan"), -(10**30)])
def test_what_is_no_moment(value):
    """It is refused by its name, however far out of the calendar it is."""
    assert refused(AddBody, messages="x", timestamp=value).startswith(
        "timestamp: expected ISO 8601"
    )


@given(value=ANYTHING)
def test_nothing_else_is_raised(value):
    """Whatever JSON holds, a field reads it or refuses it by its own name, in words of ours.

    And what it reads its schema allows, apart from what the library judges.
    """
    for model, name, allowed in DIFFERENT.values():
        refusal = None
        try:
            values_of(model, {name: value})
        except InvalidInputError as error:
            refusal = error
        if refusal is not None:
            others = {one for one, field in fields_of(model).items() if field.is_required()}
            assert refusal.field in {name, *others}
            assert refusal.expected != "expected another value", (model, name)
        elif name not in JUDGED_LATER:
            assert allowed.is_valid(value), name


TEXTS = (
    ("undo_feedback", "feedback_id", 7, "expected text"),
    ("feedback", "question", 5, "expected text"),
    ("feedback", "question", "x" * 16_001, "must have at most 16000 characters"),
    ("feedback", "conversation", "abc", "must have 8 or more characters"),
    ("review", "text", "", "must have 1 or more characters"),
    ("forget", "ids", ["x", 1], "expected a list of texts"),
)


@rows("name, field, value, told", TEXTS)
def test_what_is_no_such_text(name, field, value, told):
    """Of a text it is said that it is none, too short or too long, and of a list that it is one."""
    needs = {"feedback": "right", "decision": "edit", "query": "x", "feedback_id": "x"}
    model = OPERATIONS[name].body
    asked = {each: needs[each] for each in needs if each in fields_of(model)}
    assert refused(model, **asked | {field: value}) == f"{field}: {told}"


def test_the_schemas_are_schemas():
    """Every one, and a default is one of its own values."""
    for schemas in SCHEMAS.values():
        for each in schemas.values():
            schema = {**each, "components": {"schemas": NAMED}}
            jsonschema.Draft202012Validator.check_schema(schema)
            assert each.get("description")
            if "default" in each:
                jsonschema.validate(each["default"], schema)


VALUES = (None, "", [], {}, False, True, 0, 1, "x", ["x"], {"a": 1}, 1.5)


def test_unsupported_fields_take_what_their_schemas_say():
    """Nothing, or what changes nothing; all else is refused by the name."""
    seen = set()
    for model in MODELS:
        for name, schema in SCHEMAS[model].items():
            if not schema["description"].startswith("Not supported"):
                continue
            seen.add(name)
            for value in VALUES:
                if any(type(value) is type(one) and value == one for one in schema["enum"]):
                    assert read(model, **{name: value})[name] is None
                else:
                    assert refused(model, **needed(model), **{name: value}).startswith(
                        f"{name}: is not supported"
                    )
    assert {"app_id", "expiration_date", "categories", "reference_date"} <= seen
