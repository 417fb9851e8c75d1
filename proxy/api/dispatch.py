"""Dispatches requests to the operations of the memory API. Errors are `{"detail": …}`."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Awaitable, Mapping, Sequence
from functools import partial

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
from recollect.memory.api.results import MemoryDict
from recollect.memory.engine.engine import Engine
from recollect.memory.model.daily_sums import PAYER, Payer
from recollect.memory.model.errors import ForbiddenError, GraphError, VersionError
from recollect.memory.model.owner import Owner
from recollect.memory.util.fair_thread_pool import FairThreadPool

from ..access.access import Access
from ..access.audit import Audit, AuditError, is_audited, record_of
from ..access.limits import OverLimitError, RequestLimits, TooLargeError
from ..access.principal import UnauthorizedError
from ..access.request_origin import FOREIGN_HOST, FOREIGN_ORIGIN
from ..access.reserved_paths import not_here, own_prefix
from ..access.rights import Grant, Right
from ..errors import unexpected
from ..telemetry.tracing import Telemetry
from ..transport.direct import arrived
from .answers import MODEL_FAILURES, Streamed, detail, failed, json_answer
from .conditions import etag_header, expected_version, is_known
from .operations import PREFIX, Operation, Routes, allowed
from .request import ApiRequest, named_ids, read
from .sending import Sending
from .shares import ShareTakenError
from .suggestions import did_you_mean

log = logging.getLogger(__name__)

INLINE_BYTES = 32 * 1024
"""A body up to this size is parsed on the loop, in a millisecond."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOBODY = Grant(Owner(""), Right.NONE, who="anybody")
"""For operations that need no credential. There is no such tenant: it has no memories."""


class Dispatcher:
    """Finds the operation of a request, asks who may do it, and answers."""

    def __init__(
        self,
        engine: Engine,
        access: Access,
        options: ApiOptions,
        audit: Audit,
        *,
        operations: Sequence[Operation],
        telemetry: Telemetry | None = None,
    ) -> None:
        """`operations` are those of `bound`."""
        self.engine = engine
        self._operations = operations
        self._routes = Routes(operations)
        self.access = access
        self.options = options
        self.audit = audit
        self.telemetry = telemetry or Telemetry()
        self._limits = RequestLimits(options, admission=engine.parts.state.admission)
        self._bulk = FairThreadPool(1, name="api")
        self.sending = Sending(FairThreadPool(1, name="answers"))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Refuse foreign web pages, and add CORS headers for configured ones."""
        foreign = self.access.foreign(request.headers)
        if foreign is not None:
            return detail(403, _FOREIGN[foreign])
        if request.method == "OPTIONS":
            headers = self.access.preflight(request.headers, METHODS)
            if headers is not None:
                return web.Response(status=204, headers=headers)
        added = self.access.cors(request.headers)
        response = await self._answer(request, added)
        if not response.prepared:
            response.headers.update(added)
        return response

    async def ping(self, request: web.Request) -> web.StreamResponse:
        """The same for a ping, however its path is written."""
        url = request.rel_url
        return await self.handle(request.clone(rel_url=url.with_path("/v1/ping", keep_query=True)))

    async def _answer(self, request: web.Request, added: dict[str, str]) -> web.StreamResponse:
        """Find the operation and carry it out; `added` collects headers for any answer."""
        raw_path = request.rel_url.raw_path
        operation, methods = self._routes.find(request.method, raw_path)
        if not methods:
            prefix = own_prefix(raw_path) or PREFIX
            return detail(404, not_here(request.method, prefix) + self._slip(request))
        if operation is None:
            said = f"{request.method} is not allowed here, only {' and '.join(sorted(methods))}"
            response = detail(405, said + self._slip(request))
            response.headers.update(allowed(methods))
            return response
        began = time.perf_counter()
        with self.telemetry.operation(
            request.method, operation.path, operation.id, request.headers
        ):
            told = await self._told(request, self._carry_out(operation, request, added))
        if not operation.endless:
            seconds = time.perf_counter() - began
            self.telemetry.totals.operation(operation.id, told.status, seconds)
        return told

    async def _told(
        self, request: web.Request, work: Awaitable[web.StreamResponse]
    ) -> web.StreamResponse:
        """The answer of `work`, or what is answered for its error."""
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - logged, and answered in the API's format
            status, message, headers = self.refusal(error)
            response = detail(status, message + self._slip(request) * (type(error) in _STATUS))
            response.headers.update(headers)
            return response

    def refusal(
        self, error: Exception, where: str = "the memory API"
    ) -> tuple[int, str, Mapping[str, str]]:
        """What an error is answered with: status, message and headers; it is logged if need be."""
        match error:
            case UnauthorizedError():
                return 401, self.access.wanted, {"WWW-Authenticate": "Bearer"}
            case OverLimitError():
                return 429, str(error), {}
            case ShareTakenError():
                # Until then, one that is not read is closed.
                return 429, str(error), {"Retry-After": str(math.ceil(self.sending.seconds))}
            case TooLargeError():
                return 413, str(error), {}
            case web.HTTPRequestEntityTooLarge():  # of a handler that reads its body itself
                return 413, str(error.text), {}
            case AuditError():
                return 503, UNRECORDED, {}
            case _ if type(error) in _STATUS:
                return _STATUS[type(error)], str(error), {}
            case RecollectError():
                log.warning("%s failed: %s: %s", where, error.code, error)
                told = str(error) if isinstance(error, GraphError) else _UNAVAILABLE
                return 503, f"{error.code}: {told}", {}
        return 500, unexpected(error, where).message, {}

    async def _carry_out(
        self, operation: Operation, request: web.Request, added: dict[str, str]
    ) -> web.StreamResponse:
        """Do it; if it is an administrative action, not without a record."""
        admitted = await self._admitted(operation, request, added)
        grant = admitted.grant
        if not is_audited(operation.right, grant, self.audit.chosen):
            return await self._done(operation, admitted)
        ids, target = named_ids(operation, admitted.values)
        record = record_of(operation.id, grant, ids=ids, target=target, remote=request.remote)
        async with self.audit.about(record, at_once=operation.endless):
            response = await self._told(request, self._done(operation, admitted))
            record["status"] = response.status
        return response

    async def _admitted(
        self, operation: Operation, request: web.Request, added: dict[str, str]
    ) -> ApiRequest:
        """What is asked, if the caller may ask it, and not too much of it."""
        grant = self._granted(operation, request)
        if operation.right is not Right.NONE and not grant.administers:
            await self.count(grant, added)
        grant.check(operation.right)
        url = request.rel_url
        body = None if operation.streams_body else await self.body_of(request, grant)
        reading = partial(read, operation, url.raw_path, url.raw_query_string, body)
        size = 0 if body is None else len(body)
        if size > INLINE_BYTES:
            # By size, too: who sends a page does not wait for many megabytes.
            values = await self._bulk.run((request.remote, size.bit_length()), reading)
        else:
            values = reading()
        if operation.every_tenant and not grant.any_tenant:
            told = f"only an admin token for every tenant {operation.every_tenant}"
            raise ForbiddenError("Authorization", told)
        values.version = expected_version(request.headers, taken=operation.if_match)
        zone = values["timezone"] if "timezone" in values else None  # noqa: SIM401 - noted as read
        self.access.zones.of_call(request.headers, zone)
        owner = grant.owner
        PAYER.set(Payer(owner.tenant))
        memory = AsyncMemory(self.engine, tenant=owner.tenant, only_user=owner.user_id)
        return ApiRequest(values, memory, grant, request, added)

    async def _done(self, operation: Operation, request: ApiRequest) -> web.StreamResponse:
        try:
            found = await operation.handler(request)
        except MODEL_FAILURES as error:
            if operation.model_failure is None:
                raise
            return failed(error, operation.model_failure)
        self.telemetry.found(operation.id, found)
        if operation.answer is MemoryDict:
            return _one(request.http, found, operation.status)
        # Looking for the methods of `Streamed` in a dictionary takes as long as to encode it.
        if not isinstance(found, dict) and isinstance(found, Streamed):
            found = await self.sending.streamed(request, found)
        if isinstance(found, web.StreamResponse):
            return found
        body = await self.sending.encoded(request, found)
        del found  # a large value is not kept while its bytes are sent
        return await self.sending.whole(request, operation.status, body)

    def _granted(self, operation: Operation, request: web.Request) -> Grant:
        if operation.right is Right.NONE:
            return NOBODY
        return self.access.grant(
            request.headers, self.options, request.remote, of_all=operation.of_all
        )

    async def count(self, grant: Grant, added: dict[str, str]) -> None:
        """Take the request from what the tenant, and its user, has left. Raises OverLimitError.

        An operator is not counted: a tenant that asks too often must not keep him out.
        """
        try:
            added |= await self._limits.take_of_all(grant.owner.tenant, grant.owner.user_id)
        except OverLimitError as error:
            added |= error.headers
            raise

    def _slip(self, request: web.Request) -> str:
        paths = (operation.path for operation in self._operations)
        return did_you_mean(paths, request.rel_url.raw_path)

    async def body_of(self, request: web.Request, grant: Grant) -> bytes | None:
        """The body, if it is not larger than the tenant may send. Raises TooLargeError."""
        if not request.body_exists:
            return None
        most = self._limits.max_body_bytes(grant.owner.tenant)
        told = request.content_length
        if told is not None and told <= most:
            here = arrived(request.content)
            return await request.read() if here is None else here
        try:
            return await request.clone(client_max_size=most).read()
        except web.HTTPRequestEntityTooLarge:
            raise TooLargeError(most) from None


_UNAVAILABLE = "memory is not available at the moment"
UNRECORDED = (
    "nothing was done: the audit log cannot be written, and this needs a record; the server's log "
    "names the file and the setting"
)
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


def _one(request: web.Request, found: MemoryDict, status: int) -> web.Response:
    """A memory with its ETag; 304 if the client of a GET has it already."""
    if request.method == "GET" and is_known(request.headers, found):
        response = web.Response(status=304)
    else:
        response = json_answer(status, found)
    response.headers.update(etag_header(found))
    return response
