"""Dispatches requests to the operations of the memory API. Errors are `{"detail": …}`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import MethodType
from typing import Any

from aiohttp import web

from recollect.config.server import ApiOptions
from recollect.memory import (
    AsyncMemory,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    ScopeError,
)
from recollect.memory.bulk import Bulk
from recollect.memory.engine import Engine
from recollect.memory.errors import ForbiddenError, VersionError
from recollect.memory.results import MemoryDict

from ..access.access import Access
from ..access.auth import UnauthorizedError
from ..access.own_paths import not_here, own_prefix
from ..access.source import FOREIGN_HOST, FOREIGN_ORIGIN
from ..errors import unexpected
from .answers import Streamed, detail, json_answer
from .call import ApiCall
from .conditions import etag_header, expected_version, is_known
from .operations import PREFIX, Operation, allowed, find, read
from .slips import did_you_mean

log = logging.getLogger(__name__)

INLINE_BYTES = 32 * 1024
"""A body up to this size is parsed on the loop, in a millisecond."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def bound(operations: Sequence[Operation], handlers: Any) -> tuple[Operation, ...]:
    """The operations with the methods of `handlers`, an instance of the declared class."""
    return tuple(
        replace(operation, handler=MethodType(operation.handler, handlers))
        for operation in operations
    )


class Dispatcher:
    """Finds the operation of a request, asks who may do it, and answers."""

    def __init__(
        self,
        engine: Engine,
        access: Access,
        options: ApiOptions,
        *,
        operations: Sequence[Operation],
    ) -> None:
        """`operations` are those of `bound`."""
        self.engine = engine
        self._operations = operations
        self._access = access
        self._options = options
        self._bulk = Bulk(1, name="api")

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Refuse foreign web pages, and add CORS headers for configured ones."""
        foreign = self._access.foreign(request.headers)
        if foreign is not None:
            return detail(403, _FOREIGN[foreign])
        if request.method == "OPTIONS":
            headers = self._access.preflight(request.headers, METHODS)
            if headers is not None:
                return web.Response(status=204, headers=headers)
        response = await self._answer(request)
        if not response.prepared:
            response.headers.update(self._access.cors(request.headers))
        return response

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """Find the operation, carry it out, turn our errors into answers."""
        raw_path = request.rel_url.raw_path
        operation, methods = find(self._operations, request.method, raw_path)
        if not methods:
            prefix = own_prefix(raw_path) or PREFIX
            return detail(404, not_here(request.method, prefix) + self._slip(request))
        if operation is None:
            said = f"{request.method} is not allowed here, only {' and '.join(sorted(methods))}"
            response = detail(405, said + self._slip(request))
            response.headers.update(allowed(methods))
            return response
        try:
            return await self._carry_out(operation, request)
        except UnauthorizedError:
            response = detail(401, "a valid API token is required")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        except tuple(_STATUS) as error:
            return detail(_STATUS[type(error)], str(error) + self._slip(request))
        except web.HTTPRequestEntityTooLarge:
            return detail(413, f"the body exceeds {self._options.max_body_bytes} bytes")
        except RecollectError as error:
            log.warning("the memory API failed: %s: %s", error.code, error)
            return detail(503, f"{error.code}: memory is not available at the moment")
        except Exception as error:  # noqa: BLE001 - logged, and answered in the API's format
            return detail(500, unexpected(error, "the memory API").message)

    async def _carry_out(self, operation: Operation, request: web.Request) -> web.StreamResponse:
        grant = self._access.grant(request.headers, self._options)
        grant.check(operation.right)
        url = request.rel_url
        body = None if operation.streams_body else await self._body(request)
        reading = partial(read, operation, url.raw_path, url.raw_query_string, body)
        long = body is not None and len(body) > INLINE_BYTES
        asked = await self._bulk.run(request.remote, reading) if long else reading()
        asked.version = expected_version(request.headers, taken=operation.if_match)
        owner = grant.owner
        memory = AsyncMemory(self.engine, tenant=owner.tenant, only_user=owner.user_id)
        call = ApiCall(asked, memory, grant, request, self._access.cors(request.headers))
        found = await operation.handler(call)
        if operation.answer is MemoryDict:
            return _one(request, found)
        if isinstance(found, Streamed):
            found = await found.answer(request, call.cors)
        if isinstance(found, web.StreamResponse):
            return found
        return json_answer(operation.status, found)

    def _slip(self, request: web.Request) -> str:
        paths = (operation.path for operation in self._operations)
        return did_you_mean(paths, request.rel_url.raw_path)

    async def _body(self, request: web.Request) -> bytes | None:
        if not request.body_exists:
            return None
        return await request.clone(client_max_size=self._options.max_body_bytes).read()


_FOREIGN = {
    FOREIGN_HOST: "this host name is not one of this server's; "
    "if it should be, add it to listen.allowed_hosts",
    FOREIGN_ORIGIN: "web pages of other origins may not use the memory API; "
    "see listen.allowed_origins",
}
_STATUS: dict[type[Exception], int] = {
    ScopeError: 400,
    InvalidInputError: 400,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    VersionError: 412,
}


def _one(request: web.Request, found: MemoryDict) -> web.Response:
    """A memory with its ETag; 304 if the client of a GET has it already."""
    if request.method == "GET" and is_known(request.headers, found):
        response = web.Response(status=304)
    else:
        response = json_answer(200, found)
    response.headers.update(etag_header(found))
    return response
