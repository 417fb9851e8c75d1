"""What the memory API can be asked: one record for each method and path. Pure.

`find` leads a request to its record, `read` reads what the record names and nothing else, and
`openapi` writes the same record down. So a handler cannot read what is not documented.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import parse_qsl, unquote, unquote_to_bytes

from recollect.memory import InvalidInputError

from .fields import Field

PREFIX = "/v1/memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked for."""

    method: str
    path: str
    """Without a last slash, which clients may add. A segment in braces is any text."""
    handler: Callable[..., Any]
    summary: str
    answer: Any
    """The type of the answer: a TypedDict, or what else pydantic describes."""
    query: tuple[Field, ...] = ()
    body: tuple[Field, ...] = ()
    needs_body: bool = True
    """If it has a body at all: whether it may be left out."""

    @property
    def segments(self) -> tuple[str, ...]:
        """The path in pieces."""
        return tuple(self.path.split("/"))

    @property
    def parameter(self) -> str | None:
        """The name of the segment in braces."""
        return next((name[1:-1] for name in self.segments if name.startswith("{")), None)


class Asked(dict[str, Any]):
    """What a request says, by field; an operation's fields are all there, and no others."""


def find(
    operations: Sequence[Operation], method: str, raw_path: str
) -> tuple[Operation | None, frozenset[str]]:
    """The operation of a request, and the methods that its path knows.

    A segment with a fixed name is no id, whatever the method.
    """
    path = tuple(raw_path.rstrip("/").split("/"))
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


def read(operation: Operation, raw_path: str, raw_query: str, body: bytes | None) -> Asked:
    """Everything that the operation's handler may know of a request.

    Raises:
        InvalidInputError: a field is malformed, is not there, or is not one of the operation's.
    """
    asked = Asked()
    if (name := operation.parameter) is not None:
        place = operation.segments.index(f"{{{name}}}")
        asked[name] = _decoded(name, raw_path.split("/")[place])
    said = read_query(operation.query, raw_query)
    asked.update((field.name, field.value(said)) for field in operation.query)
    if operation.body:
        given = read_body(operation, body)
        asked.update((field.name, field.value(given)) for field in operation.body)
    return asked


def read_query(fields: Sequence[Field], raw_query: str) -> dict[str, Any]:
    """A query string's fields. Raises InvalidInputError."""
    known = {field.name: field for field in fields}
    said: dict[str, Any] = {}
    try:
        pairs = parse_qsl(raw_query, keep_blank_values=True, errors="strict")
        raw_query.encode()
    except ValueError:
        raise InvalidInputError("query string", "must be valid UTF-8") from None
    for name, text in pairs:
        if name in said:
            raise InvalidInputError(name, "is there twice")
        if name in known:  # what is in front of us may add parameters of its own
            said[name] = known[name].from_query(text)
    return said


def read_body(operation: Operation, raw: bytes | None) -> dict[str, Any]:
    """The JSON object of a request. Raises InvalidInputError."""
    if raw is None and not operation.needs_body:
        return {}
    try:
        # Encoded surrogates are no text, though Python's reader takes them.
        body = json.loads(
            (raw or b"").decode(json.detect_encoding(raw or b"")).removeprefix("\ufeff"),
            object_pairs_hook=_once,
            parse_constant=_no_number,
        )
    except _TwiceError as error:
        raise InvalidInputError(str(error), "is there twice") from None
    except (ValueError, RecursionError):
        raise InvalidInputError("body", "expected a JSON object") from None
    if not isinstance(body, dict):
        raise InvalidInputError("body", "expected a JSON object")
    if unknown := sorted(body.keys() - {field.name for field in operation.body}):
        # A field nobody reads is a mistake of whoever wrote it.
        raise InvalidInputError(unknown[0], "there is no such field")
    return body


class _TwiceError(Exception):
    """An object has two members of one name, and readers differ in which one counts."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise _TwiceError(name)
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _decoded(name: str, segment: str) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except ValueError:
        raise InvalidInputError(name, "must be valid UTF-8") from None


def allowed(methods: frozenset[str]) -> Mapping[str, str]:
    """What a refusal of a method has to say (RFC 9110 §15.5.6)."""
    return {"Allow": ", ".join(sorted(methods))}
