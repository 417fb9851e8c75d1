"""One request to the memory API: how its fields are read, and what its handler gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import unquote_to_bytes

from aiohttp import web

from recollect.memory import AsyncMemory, InvalidInputError, Scope
from recollect.memory.model.owner import Owner
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.model.types import OwnerRef
from recollect.memory.operations.declaring import LIBRARY_ONLY
from recollect.memory.operations.fields import unknown_field, values_of
from recollect.memory.util.untrusted_json import (
    REQUEST,
    JsonTooLargeError,
    JsonTwiceError,
    read_json,
)

from ..access.rights import Grant
from .operations import Operation
from .query_fields import read_query

NAME = "entity"
"""The segment of a path that may be a name out of memories: user's text, not only an id."""


class Values(dict[str, Any]):
    """A request's values by field: exactly the fields of the operation."""

    version: str | None = None
    """The version of the memory that a change must find; None: any."""

    def ids(self) -> dict[str, Any]:
        """The ids of the scope; None for ids that are not given."""
        return self.only(*SCOPE_IDS)

    def only(self, *names: str) -> dict[str, Any]:
        """Some of them."""
        return {name: self[name] for name in names}


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """What was asked, by whom, and the memories that it may be about."""

    values: Values
    memory: AsyncMemory
    """The caller's own memories: other tenants' (and users', if it is one) are not in it."""
    grant: Grant
    http: web.Request
    headers: dict[str, str]
    """Headers of every answer: what a browser needs, and what is left of the tenant's limit."""

    @property
    def owner(self) -> Owner:
        """Whose memories the caller may act on."""
        return self.grant.owner

    @property
    def tenant(self) -> str:
        """Its tenant."""
        return self.grant.owner.tenant

    @property
    def ids(self) -> dict[str, Any]:
        """The ids of the scope that the request names; None for ids that are not given."""
        return self.values.ids()

    def scope(self) -> Scope:
        """The scope that the request names. Raises as `Owner.scope`."""
        return self.owner.scope(**self.ids)

    def owner_ref(self) -> OwnerRef:
        """The same; if it names none, everything of the caller."""
        return self.owner.owner_ref(**self.ids)


Call = Annotated[ApiRequest, LIBRARY_ONLY]
"""The request, as a handler takes it that is declared by its signature."""


def named_ids(operation: Operation, values: Values) -> tuple[dict[str, Any], dict[str, Any]]:
    """The ids that a request names: those of a scope, and those of its path."""
    ids = [name for name in operation.parameters if name != NAME]
    return {name: values.get(name) for name in SCOPE_IDS}, values.only(*ids)


def read(operation: Operation, raw_path: str, raw_query: str, body: bytes | None) -> Values:
    """The values that the operation's handler gets.

    Raises:
        InvalidInputError: a field is malformed, missing, or unknown to the operation.
    """
    values, pieces = Values(), raw_path.split("/")
    for name in operation.parameters:
        values[name] = _decoded(name, pieces[operation.segments.index(f"{{{name}}}")])
    if operation.any_fields:
        return values
    queried = read_query(operation.query, raw_query, operation.in_body)
    given = read_body(operation, body)
    if twice := sorted(queried.keys() & given.keys()):
        raise InvalidInputError(twice[0], "is given twice, in the query and in the body")
    if operation.query is not None:
        values |= values_of(operation.query, queried)
    if operation.body is not None:
        in_body = values_of(operation.body, given)
        values |= {name: value for name, value in in_body.items() if name not in queried}
    return values


def read_body(operation: Operation, raw: bytes | None) -> dict[str, Any]:
    """The JSON object of a request. Raises InvalidInputError."""
    if (raw is None and not (operation.body and operation.needs_body)) or (
        not raw and operation.body is None
    ):
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
    if unknown := sorted(body.keys() - operation.in_body.keys()):
        raise unknown_field(unknown[0], operation.in_body, operation.in_query, "query")
    return body


def _decoded(name: str, segment: str) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except ValueError:
        raise InvalidInputError(name, "must be valid UTF-8") from None
