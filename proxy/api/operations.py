"""The operations of the memory API: one record for each method and path. Pure.

`find` returns the record of a request, `read` reads the fields of the record and no others, and
`openapi` documents the same record. So a handler cannot read an undocumented field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, unquote_to_bytes

from recollect.memory import InvalidInputError
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.util.untrusted_json import (
    REQUEST,
    JsonTooLargeError,
    JsonTwiceError,
    read_json,
)

from ..access.rights import Right
from .fields import Field
from .unknown import unknown_field

PREFIX = "/v1/memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method and path."""

    method: str
    path: str
    """Without a trailing slash, which clients may add. A segment in braces is any text."""
    handler: Callable[..., Any]
    """Gets an `ApiCall`. In the tables it is a method of a class; see `dispatch.bound`."""
    right: Right
    """What a caller needs."""
    summary: str
    answer: Any
    """The type of the answer: one that `openapi.schema_of` knows, such as a TypedDict."""
    query: tuple[Field, ...] = ()
    body: tuple[Field, ...] = ()
    streamed_as: tuple[str, ...] = ()
    """Content types of an answer that has one value of `answer` after the other, if asked for."""
    endless: bool = False
    """Whether its answer is always streamed, and ends with the client only."""
    if_match: bool = False
    """Whether it changes a memory only if it is at the version that `If-Match` names."""
    needs_body: bool = True
    """If the operation has a body: whether it is required."""
    of_all: bool = False
    """Whether it concerns all tenants, so that an admin token need not name one."""
    streams_body: bool = False
    """Whether the handler reads the body itself, as it comes."""
    tag: str = "memories"
    """The group that it stands in on the page of the API."""
    name: str | None = None
    """Its id; the name of the handler if there is none. No two operations share an id."""
    status: int = 200
    """Of an answer that succeeds."""
    content_type: str = "application/json"
    """Of an answer that succeeds and is not streamed."""
    tagged: bool = False
    """Whether the answer of a GET has an ETag, besides answers that are one memory."""
    file: bool = False
    """Whether its answer is a file, of a content type of `streamed_as`."""

    @property
    def id(self) -> str:
        """What names it in the document and in the audit log."""
        return self.name or str(self.handler.__name__)

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path."""
        return tuple(self.path.split("/"))

    @property
    def fields(self) -> dict[str, Field]:
        """All fields by name. A field may be allowed in the query and in the body."""
        return {field.name: field for field in (*self.query, *self.body)}

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the segments in braces."""
        return tuple(name[1:-1] for name in self.segments if name.startswith("{"))

    @property
    def parameter(self) -> str | None:
        """The first of them."""
        return next(iter(self.parameters), None)


class Parameters(dict[str, Any]):
    """A request's values by field: exactly the fields of the operation."""

    version: str | None = None
    """The version of the memory that a change must find; None: any."""


def scope_ids(asked: Parameters) -> dict[str, Any]:
    """The ids of the scope; None for ids that are not given."""
    return {name: asked[name] for name in SCOPE_IDS}


def named_ids(operation: Operation, asked: Parameters) -> tuple[dict[str, Any], dict[str, Any]]:
    """The ids that a request names: those of a scope, and those of its path."""
    return (
        {name: asked.get(name) for name in SCOPE_IDS},
        {name: asked[name] for name in operation.parameters},
    )


def find(
    operations: Sequence[Operation], method: str, raw_path: str
) -> tuple[Operation | None, frozenset[str]]:
    """The operation of a request, and the methods that its path allows.

    A fixed segment is never read as an id, for any method. Only one slash at the end is left out:
    with an id that is empty by mistake, a path must not become the path of the whole scope.
    """
    path = tuple(raw_path.removesuffix("/").split("/"))
    found = [operation for operation in operations if _fits(operation.segments, path)]
    fewest = min((_wild(operation) for operation in found), default=0)
    found = [operation for operation in found if _wild(operation) == fewest]
    chosen = next((operation for operation in found if operation.method == method), None)
    return chosen, frozenset(operation.method for operation in found)


def _fits(segments: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(segments) == len(path) and all(
        piece != "" if name.startswith("{") else name == unquote(piece)
        for name, piece in zip(segments, path, strict=True)
    )


def _wild(operation: Operation) -> int:
    return operation.path.count("{")


def read(operation: Operation, raw_path: str, raw_query: str, body: bytes | None) -> Parameters:
    """The values that the operation's handler gets.

    Raises:
        InvalidInputError: a field is malformed, missing, or unknown to the operation.
    """
    asked = Parameters()
    pieces = raw_path.split("/")
    for name in operation.parameters:
        asked[name] = _decoded(name, pieces[operation.segments.index(f"{{{name}}}")])
    said = read_query(operation, raw_query)
    given = read_body(operation, body)
    if twice := sorted(said.keys() & given.keys()):
        raise InvalidInputError(twice[0], "is given twice, in the query and in the body")
    said |= given
    asked.update((name, field.value(said)) for name, field in operation.fields.items())
    return asked


def read_query(operation: Operation, raw_query: str) -> dict[str, Any]:
    """A query string's fields. Raises InvalidInputError."""
    known = {field.name: field for field in operation.query}
    said: dict[str, Any] = {}
    try:
        pairs = parse_qsl(raw_query, keep_blank_values=True, errors="strict")
        raw_query.encode()
    except ValueError:
        raise InvalidInputError("query string", "must be valid UTF-8") from None
    for name, text in pairs:
        if name in said and not known[name].repeated:
            raise InvalidInputError(name, "is given twice")
        if name not in known:
            # If it was ignored, a mistyped scope id would widen the request.
            raise unknown_field(name, known, _names(operation.body), "body")
        value = known[name].from_query(text)
        said[name] = [*said.get(name, ()), value] if known[name].repeated else value
    return said


def read_body(operation: Operation, raw: bytes | None) -> dict[str, Any]:
    """The JSON object of a request. Raises InvalidInputError."""
    needed = operation.body and operation.needs_body
    if (raw is None and not needed) or (not raw and not operation.body):
        return {}
    try:
        body = read_json(raw or b"", REQUEST, once=True)
    except JsonTwiceError as error:
        raise InvalidInputError(str(error), "is given twice") from None
    except JsonTooLargeError as error:
        raise InvalidInputError("body", str(error)) from None
    except ValueError:
        raise InvalidInputError("body", "expected a JSON object") from None
    if not isinstance(body, dict):
        raise InvalidInputError("body", "expected a JSON object")
    known = _names(operation.body)
    if unknown := sorted(body.keys() - known):
        raise unknown_field(unknown[0], known, _names(operation.query), "query")
    return body


def _names(fields: Sequence[Field]) -> set[str]:
    return {field.name for field in fields}


def _decoded(name: str, segment: str) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except ValueError:
        raise InvalidInputError(name, "must be valid UTF-8") from None


def allowed(methods: frozenset[str]) -> Mapping[str, str]:
    """The header that a 405 must have (RFC 9110 §15.5.6)."""
    return {"Allow": ", ".join(sorted(methods))}
