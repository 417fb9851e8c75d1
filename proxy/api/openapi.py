"""The memory API as an OpenAPI document, generated from the records that dispatch its requests.

Nothing is listed here twice: paths come from `Operation`, parameters and bodies from the models
that read them, answers from the types that the handlers return.
"""

from __future__ import annotations

import importlib.metadata
from collections import Counter
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from recollect.memory.api.results import MemoryDict

from ..access.rights import Right
from .answers import LINES
from .conditions import IF_MATCH, IF_NONE_MATCH
from .operations import Operation
from .query_fields import query_schemas
from .schemas import Schema, body_schema, schema_of

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
            *_in_query(operation, named),
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
            "content": {"application/json": {"schema": body_schema(operation.body, named)}},
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


def _in_query(operation: Operation, named: dict[str, Schema]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "required": operation.in_query[name].is_required(),
            "description": schema.get("description", ""),
            "schema": {key: value for key, value in schema.items() if key != "description"},
        }
        for name, schema in query_schemas(operation.query, named).items()
    ]


def _answer(text: str, schema: Schema, kind: str = "application/json") -> dict[str, Any]:
    return {"description": text, "content": {kind: {"schema": schema}}}
