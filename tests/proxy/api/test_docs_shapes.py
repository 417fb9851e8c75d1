"""Schemas in few words, shapes, and the examples."""

import json

from recollect.proxy.api.docs_shapes import curl, kind_of, shape_of, type_name
from recollect.proxy.api.openapi import document
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows


@rows(
    "schema, said",
    [
        ({"type": "integer", "minimum": 1, "maximum": 9, "default": 5}, "integer, 1 to 9, default 5"),
        ({"type": ["string", "null"], "minLength": 1}, "string | null, at least 1 characters"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 3}, "list of string, at most 3 items"),
        ({"enum": ["a", None]}, '"a" | null'),
        ({"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}, "string (date-time) | null"),
        ({"$ref": "#/components/schemas/Memory"}, "Memory"),
        ({"type": "boolean", "default": False}, "boolean, default false"),
        ({}, "any value"),
    ],
)  # fmt: skip
def test_kinds(schema, said):
    """Type, bounds and default; null is said where it may be."""
    assert kind_of(schema) == said


def test_a_shape():
    """One line for each member; what may be left out has a question mark."""
    schema = {
        "properties": {
            "results": {"type": "array", "items": {"$ref": "#/components/schemas/Memory"}},
            "next": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "other": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["results"],
    }
    assert shape_of(schema) == (
        '{\n  "results": [Memory, …]\n  "next"?: string | null\n  "other"?: {text: integer, …}\n}'
    )


def test_the_name_of_a_type():
    """Of a reference; nothing else has one."""
    assert type_name({"$ref": "#/components/schemas/Memory"}) == "Memory"
    assert type_name({"type": "string"}) is None


def test_an_example_quotes_for_the_shell():
    """A quote in a body does not end it."""
    field = {"enum": ["it's"]}
    body = {"content": {"application/json": {"schema": {"properties": {"x": field}}}}}
    operation = {"parameters": [], "requestBody": body, "security": [{}]}
    assert curl("POST", "/x", operation).endswith("-d '{\"x\": \"it'\\''s\"}'")


def test_examples_say_whose_and_who():
    """What needs a credential shows one, and what takes an id of a user has one."""
    described = document(ALL)
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            said = curl(method.upper(), path, operation)
            assert ("$TOKEN" in said) == ({} not in operation["security"])
            if "{" not in path and '"user_id"' in json.dumps(operation):
                assert "alice" in said, path
