"""Types of answers as JSON Schemas."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.memory.operations.fields import RequestModel, about
from recollect.proxy.api.schemas import body_schema, schema_of


class SomeDict(TypedDict):
    """For the test below."""

    name: str
    parts: NotRequired[list[SomeDict]]
    other: dict[str, int | None]


def test_types_as_schemas():
    """What may be left out is not required, nothing may be added, and a type may hold itself."""
    named: dict[str, Any] = {}
    assert schema_of(list[SomeDict], named) == {
        "type": "array",
        "items": {"$ref": "#/components/schemas/Some"},
    }
    some = named["Some"]
    assert some["required"] == ["name", "other"]
    assert some["additionalProperties"] is False
    assert some["properties"]["parts"]["items"] == {"$ref": "#/components/schemas/Some"}
    assert some["properties"]["other"]["additionalProperties"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}]
    }


class SomeFields(RequestModel):
    """For the test below."""

    name: str | None = about("A name.")


def test_a_model_as_it_is_read():
    """No other field, no title that nobody wrote, and no default that says nothing."""
    made = body_schema(SomeFields, {})
    assert made["additionalProperties"] is False
    anything = [{"type": "string"}, {"type": "null"}]
    assert made["properties"] == {"name": {"anyOf": anything, "description": "A name."}}
