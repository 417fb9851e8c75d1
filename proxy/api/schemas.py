"""JSON Schemas of models and of answers' types, as pydantic makes them, in plain words."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from recollect.memory.operations.fields import RequestModel

Schema = dict[str, Any]
_REFERENCE = "#/components/schemas/"


class _Plain(GenerateJsonSchema):
    """Without the titles that pydantic makes of names, and closed: an answer has no other key."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's name
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        found = super().default_schema(schema)
        return {key: found[key] for key in found if key != "default" or found[key] is not None}

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        return super().typed_dict_schema(schema) | {"additionalProperties": False}


def schema_of(kind: Any, named: dict[str, Schema]) -> Schema:
    """The JSON Schema of a type; those that it names, and itself, are added to `named`."""
    schema: Schema = _made(list[kind], named)["items"]
    return schema


def body_schema(model: type[RequestModel], named: dict[str, Schema]) -> Schema:
    """The JSON Schema of a model itself."""
    return {key: value for key, value in _made(model, named).items() if key != "title"}


def _made(kind: Any, named: dict[str, Schema]) -> Schema:
    made: Schema = TypeAdapter(kind).json_schema(
        ref_template=_REFERENCE + "{model}", schema_generator=_Plain
    )
    # The names of our types end with Dict where a class of ours has the plain name.
    made = json.loads(json.dumps(made).replace('Dict"', '"'))
    for name, each in made.pop("$defs", {}).items():
        named[name] = {key: value for key, value in each.items() if key != "title"}
    return made
