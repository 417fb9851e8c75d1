"""The memory API as an OpenAPI document, generated from the records that dispatch its requests.

Nothing is listed here twice: paths, parameters and bodies come from `Operation` and `Field`,
answers from the types that the handlers return.
"""

from __future__ import annotations

import importlib.metadata
import types
import typing
from collections import Counter
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, NotRequired

from recollect.memory.api.results import MemoryDict

from ..access.rights import Right
from .conditions import IF_MATCH, IF_NONE_MATCH
from .fields import Field, Schema
from .operations import Operation
from .streams import LINES

VERSION = "3.1.0"
_ERRORS = {
    400: "A field is malformed, missing or unknown; the text names it.",
    401: "The request has no valid token.",
    403: "The credential lacks the right, or names what is somebody else's; or the request comes "
    "from a foreign web page or uses a foreign host name.",
    404: "There is no such memory or job.",
    409: "Others change the memory at this moment; nothing was changed.",
    412: "The memory is not at the version that `If-Match` names; nothing was changed.",
    413: "The body is too large.",
    429: "The tenant is over its limit of requests, or it or its user has its share of streams; "
    "`Retry-After` says when to come back.",
    500: "A defect; the server's log has the same number as the text.",
    503: "A part of the memory is not available, or the model that an addition needs.",
    504: "The model that an addition needs did not answer in time; nothing was stored.",
    507: "There is no room for the file or the record of a task; nothing was kept.",
}
_FOR_CREDENTIALS = frozenset({401, 429})
"""Answers of operations that need a credential."""
_CREDENTIALS: list[dict[str, list[str]]] = [{"bearer": []}, {"key": []}]
_LIMIT_HEADERS = {
    "Retry-After": "Seconds until the next request is taken.",
    "X-RateLimit-Limit": "Requests that the tenant may make at once.",
    "X-RateLimit-Remaining": "How many of them are left.",
    "X-RateLimit-Reset": "Seconds until all of them are back.",
}
_ABOUT = (
    "Memories of users, agents and runs. Paths may end with a slash. Every refusal is a JSON "
    "object with `detail`. On loopback no credential is needed unless `api.token` is set."
)
_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The whole document, as JSON values.

    Raises:
        ValueError: two operations share an id, or a method and path.
    """
    _check_unique(operation.id for operation in operations)
    _check_unique(f"{operation.method} {operation.path}" for operation in operations)
    paths: dict[str, dict[str, Any]] = {}
    named: dict[str, Schema] = {"Refusal": _REFUSAL}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(
            operation, named
        )
    return {
        "openapi": VERSION,
        "info": {
            "title": "Recollect memory API",
            "version": importlib.metadata.version("recollect"),
            "description": _ABOUT,
        },
        "tags": [{"name": tag} for tag in dict.fromkeys(each.tag for each in operations)],
        "paths": paths,
        "security": _CREDENTIALS,
        "components": {
            "schemas": named,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _check_unique(names: Iterable[str]) -> None:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"these operations are there twice: {', '.join(twice)}")


_REFUSAL: Schema = {
    "type": "object",
    "required": ["detail"],
    "properties": {"detail": {"type": "string"}},
    "additionalProperties": False,
}


def _described(operation: Operation, named: dict[str, Schema]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "security": [{}] if operation.right is Right.NONE else _CREDENTIALS,
        "x-right": operation.right.word,
        "parameters": [
            *_in_path(operation),
            *map(_in_query, operation.query),
            *_conditions(operation),
        ],
        "responses": {
            **_done(operation, named),
            **{
                str(status): _refused(status, text)
                for status, text in _ERRORS.items()
                if operation.right is not Right.NONE or status not in _FOR_CREDENTIALS
            },
        },
    }
    if operation.body:
        described["requestBody"] = {
            "required": operation.needs_body,
            "content": {"application/json": {"schema": _body(operation.body)}},
        }
    if operation.streams_body:
        described["requestBody"] = {
            "required": operation.needs_body,
            "content": {LINES: {"schema": {"type": "string"}}},
        }
    return described


def _done(operation: Operation, named: dict[str, Schema]) -> dict[str, Any]:
    """The answers of a success. One memory has an ETag."""
    done = _answer("Done.", schema_of(operation.answer, named), operation.content_type)
    if operation.endless or operation.file:
        done["content"] = {}
    done["content"] |= {kind: {"schema": {"type": "string"}} for kind in operation.streamed_as}
    status = str(operation.status)
    if not _has_tag(operation):
        return {status: done}
    tagged = {"headers": {"ETag": {"schema": {"type": "string"}}}}
    known = {"304": {"description": "The client has this version."} | tagged}
    return {status: done | tagged} | (known if operation.method == "GET" else {})


def _has_tag(operation: Operation) -> bool:
    return operation.tagged or operation.answer is MemoryDict


def _refused(status: int, text: str) -> dict[str, Any]:
    answer = _answer(text, {"$ref": "#/components/schemas/Refusal"})
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        answer["headers"] = {
            name: {"description": said, "schema": {"type": "integer"}}
            for name, said in _LIMIT_HEADERS.items()
        }
    return answer


def _conditions(operation: Operation) -> list[dict[str, Any]]:
    """The headers that make a request conditional."""
    if operation.if_match:
        return [_header(IF_MATCH, "Change it only if it is at this version: an ETag or a number.")]
    if operation.method == "GET" and _has_tag(operation):
        return [_header(IF_NONE_MATCH, "Answer 304 if it is at this version: an ETag.")]
    return []


def _header(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "string"}
    return {"name": name, "in": "header", "description": description, "schema": schema}


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1}
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name in operation.parameters
    ]


def _in_query(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "in": "query",
        "required": field.required,
        "description": field.description,
        "schema": field.schema,
    }


def _body(fields: Sequence[Field]) -> Schema:
    return {
        "type": "object",
        "properties": {
            field.name: {"description": field.description, **field.schema} for field in fields
        },
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _answer(text: str, schema: Schema, kind: str = "application/json") -> dict[str, Any]:
    return {"description": text, "content": {kind: {"schema": schema}}}


def schema_of(kind: Any, named: dict[str, Schema]) -> Schema:
    """The JSON Schema of an answer's type; TypedDicts are added to `named`."""
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if typing.is_typeddict(kind):
        name = kind.__name__.removesuffix("Dict")
        if name not in named:
            named[name] = {}  # set first: a type may contain itself
            named[name].update(_object(kind, named))
        return {"$ref": f"#/components/schemas/{name}"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], named)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], named)}
    if origin in {types.UnionType, typing.Union}:
        return {"anyOf": [schema_of(each, named) for each in arguments]}
    raise TypeError(f"no schema is known for {kind}")


def _object(kind: Any, named: dict[str, Schema]) -> Schema:
    hints = typing.get_type_hints(kind, include_extras=True)
    optional = {name for name, hint in hints.items() if typing.get_origin(hint) is NotRequired}
    return {
        "type": "object",
        "properties": {
            name: schema_of(typing.get_args(hint)[0] if name in optional else hint, named)
            for name, hint in hints.items()
        },
        "required": [name for name in hints if name not in optional],
        "additionalProperties": False,
    }
