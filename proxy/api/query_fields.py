"""Fields in a query string, which holds texts only: each is read as the JSON that its model takes.

A list is separated by commas, an object is JSON, and there is no `null`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any
from urllib.parse import parse_qsl

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import RequestModel, fields_of, unknown_field
from recollect.memory.util.untrusted_json import REQUEST, JsonTwiceError, read_json

from .schemas import Schema, body_schema

REPEATED = object()
"""Marks a list of which a query has one item at a time."""
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")
_PLAIN = {"integer": _INTEGER, "boolean": re.compile("true|false")}
"""Texts that are no list where a list or this kind may stand."""
_NOTES = {"array": "Separated by commas.", "object": "As JSON."}


def read_query(
    model: type[RequestModel] | None, raw_query: str, in_body: Mapping[str, Any]
) -> dict[str, Any]:
    """A query string's fields as JSON values. Raises InvalidInputError."""
    if not raw_query:
        return {}
    known = fields_of(model)
    texts: dict[str, list[str]] = {}
    for name, text in _pairs(raw_query):
        if name not in known:
            # If it was ignored, a mistyped scope id would widen the request.
            raise unknown_field(name, known, in_body, "body")
        texts.setdefault(name, []).append(text)
        if len(texts[name]) > 1 and REPEATED not in known[name].metadata:
            raise InvalidInputError(name, "is given twice")
    readers = _readers(model) if model and texts else {}
    return {name: readers[name](name, said) for name, said in texts.items()}


def _pairs(raw_query: str) -> list[tuple[str, str]]:
    try:
        raw_query.encode()
        return parse_qsl(raw_query, keep_blank_values=True, errors="strict")
    except ValueError:
        raise InvalidInputError("query string", "must be valid UTF-8") from None


def query_schemas(model: type[RequestModel] | None, named: dict[str, Schema]) -> dict[str, Schema]:
    """The JSON Schema of each field as a query has it; the types that it names go into `named`."""
    if model is None:
        return {}
    known, schemas = fields_of(model), body_schema(model, named)["properties"]
    return {
        name: each if REPEATED in known[name].metadata else _in_query(each)
        for name, each in schemas.items()
    }


def _in_query(schema: Schema) -> Schema:
    kind = _kind(schema)
    more: Schema = {key: schema[key] for key in ("title", "default") if key in schema}
    description = {"description": schema["description"]} if "description" in schema else {}
    if kind in _NOTES:
        return {**more, "type": "string", "description": f"{schema['description']} {_NOTES[kind]}"}
    if len(kinds := _not_null(schema)) == 1 and "anyOf" in schema:
        return kinds[0] | description | more
    return schema


def _not_null(schema: Schema) -> list[Schema]:
    return [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]


def _kind(schema: Schema) -> str:
    [first, *_] = _not_null(schema)
    return str(first.get("type", "string"))


@cache
def _readers(model: type[RequestModel]) -> dict[str, Callable[[str, list[str]], Any]]:
    known = fields_of(model)
    return {
        name: _as_it_is if REPEATED in known[name].metadata else partial(_only, _reader(each))
        for name, each in body_schema(model, {})["properties"].items()
    }


def _reader(schema: Schema) -> Callable[[str, str], Any]:
    """How the text of a field is read; of a list that may be a number or a flag, as that first."""
    kinds = [str(each.get("type", "string")) for each in _not_null(schema)]
    read = _BY_KIND.get(kinds[0], _as_text)
    if kinds[0] != "array" or len(kinds) == 1:
        return read
    others = [(_PLAIN[kind], _BY_KIND[kind]) for kind in kinds[1:] if kind in _PLAIN]

    def first_fitting(name: str, text: str) -> Any:
        fitting = (other for pattern, other in others if pattern.fullmatch(text))
        return next(fitting, read)(name, text)

    return first_fitting


def _as_it_is(_name: str, texts: list[str]) -> list[str]:
    return texts


def _only(read: Callable[[str, str], Any], name: str, texts: list[str]) -> Any:
    return read(name, texts[0])


def _as_text(_name: str, text: str) -> str:
    return text


def _integer(_name: str, text: str) -> int | str:
    """The model refuses what is no number, in its own words; so it does below."""
    return int(text) if _INTEGER.fullmatch(text) else text


def _number(_name: str, text: str) -> float | str:
    return float(text) if _NUMBER.fullmatch(text) else text


def _flag(_name: str, text: str) -> bool | str:
    return text == "true" if text in {"true", "false"} else text


def _list(_name: str, text: str) -> list[str]:
    return [each.strip() for each in text.split(",")]


def _object(name: str, text: str) -> Any:
    try:
        return read_json(text, REQUEST, once=True)
    except JsonTwiceError as error:
        raise InvalidInputError(name, f"has {str(error)[:60]!r} twice") from None
    except ValueError:
        return text


_BY_KIND: dict[str, Callable[[str, str], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _flag,
    "array": _list,
    "object": _object,
}
