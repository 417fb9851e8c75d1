"""The record of an operation: what is answered, to whom, and where. Pure.

A function is declared with its operation, its docstring is the summary. Every surface is made from
these records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MethodType
from typing import Any

from pydantic.fields import FieldInfo

from .fields import RequestModel, fields_of
from .rights import Right

PREFIX = "/v1/memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method and path."""

    method: str
    path: str
    """Without a trailing slash, which clients may add. A segment in braces is any text."""
    handler: Callable[..., Any]
    """Gets an `ApiRequest`. In the tables it is a method of a class; see `bound`."""
    summary: str
    answer: Any
    """The type of the answer, such as a TypedDict."""
    right: Right = Right.READ
    """What a caller needs."""
    query: type[RequestModel] | None = None
    body: type[RequestModel] | None = None
    streamed_as: tuple[str, ...] = ()
    """Content types of an answer that has one value of `answer` after the other, if asked for."""
    endless: bool = False
    """Whether its answer is always streamed, and ends with the client only."""
    if_match: bool = False
    """Whether it changes a memory only if it is at the version that `If-Match` names."""
    body_required: bool | None = None
    """Whether there must be a body; None: if a field of it is required."""
    of_all: bool = False
    """Whether it concerns all tenants, so that an admin token need not name one."""
    every_tenant: str = ""
    """What only an admin token for every tenant does, as a refusal says it; "": any does it."""
    streams_body: bool = False
    """Whether the handler reads the body itself, as it comes."""
    any_fields: bool = False
    """Whether a request may say anything: it is refused whatever it says."""
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
    told_live: str | None = None
    """What its handler takes to tell a text while the model writes it, if `stream` is asked for."""
    model_failure: str | None = None
    """What a failure of the language model is told with: the `failure` and its `advice`."""
    file: bool = False
    """Whether its answer is a file, of a content type of `streamed_as`."""

    @property
    def id(self) -> str:
        """What names it in the document and in the audit log."""
        return self.name or str(self.handler.__name__)

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path."""
        return _segments_of(self.path)

    @property
    def in_query(self) -> dict[str, FieldInfo]:
        """The fields of the query by name."""
        return fields_of(self.query)

    @property
    def in_body(self) -> dict[str, FieldInfo]:
        """The fields of the body by name."""
        return fields_of(self.body)

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """All of them. A field may be allowed in the query and in the body."""
        return self.in_query | self.in_body

    @property
    def needs_body(self) -> bool:
        """Whether a request without a body is refused."""
        if self.body_required is None:
            return self.streams_body or any(one.is_required() for one in self.in_body.values())
        return self.body_required

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the segments in braces."""
        return _parameters_of(self.path)


@cache
def _segments_of(path: str) -> tuple[str, ...]:
    return tuple(path.split("/"))


@cache
def _parameters_of(path: str) -> tuple[str, ...]:
    return tuple(name[1:-1] for name in _segments_of(path) if name.startswith("{"))


def bound(operations: Sequence[Operation], handlers: Any) -> tuple[Operation, ...]:
    """The operations with the methods of `handlers`, an instance of the declared class."""
    return tuple(replace(each, handler=MethodType(each.handler, handlers)) for each in operations)
