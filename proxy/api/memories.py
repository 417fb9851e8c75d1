"""The memory API: `AsyncMemory` over HTTP. Errors are `{"detail": …}`, as clients expect."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from aiohttp import web

from recollect.config.server import ApiOptions
from recollect.memory import (
    AsyncMemory,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    Scope,
    ScopeError,
)
from recollect.memory.bulk import Bulk
from recollect.memory.engine import Engine
from recollect.memory.errors import VersionError
from recollect.memory.results import MemoryDict
from recollect.memory.scope import SCOPE_REQUIRED

from ..access.access import Access
from ..access.auth import UnauthorizedError
from ..access.own_paths import not_here
from ..access.source import FOREIGN_HOST, FOREIGN_ORIGIN
from ..errors import unexpected
from ..explaining import Explainer
from .conditions import etag_header, expected_version, is_known
from .flushing import Flushing
from .following import Followers, Following
from .forgetting import Forgetting
from .jobs import JobsApi
from .operations import (
    PREFIX,
    Operation,
    Parameters,
    allowed,
    find,
    names_scope,
    read,
    scope_ids,
    whose_of,
)
from .slips import did_you_mean
from .which import which_of

log = logging.getLogger(__name__)

INLINE_BYTES = 32 * 1024
"""A body up to this size is parsed on the loop, in a millisecond."""


class MemoryApi:
    """Dispatches requests to the handlers of its operations (`routes.OPERATIONS`)."""

    def __init__(
        self,
        engine: Engine,
        access: Access,
        explainer: Explainer,
        options: ApiOptions,
        *,
        operations: Sequence[Operation],
    ) -> None:
        self._operations = operations
        self._engine = engine
        self._explainer = explainer
        self._forgetting = Forgetting(engine.forgetter)
        self._jobs = JobsApi(engine)
        self._followers = Followers()
        self._access = access
        self._options = options
        self._bulk = Bulk(1, name="api")

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Refuse foreign web pages, and add CORS headers for configured ones."""
        foreign = self._access.foreign(request.headers)
        if foreign is not None:
            return _detail(403, _FOREIGN[foreign])
        if request.method == "OPTIONS":
            allowed = self._access.preflight(request.headers, _METHODS)
            if allowed is not None:
                return web.Response(status=204, headers=allowed)
        response = await self._answer(request)
        if not response.prepared:
            response.headers.update(self._access.cors(request.headers))
        return response

    def close(self) -> None:
        """End the streams of changes; the server would wait for them."""
        self._followers.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """Find the tenant, run the handler, turn our errors into answers."""
        url = request.rel_url
        operation, methods = find(self._operations, request.method, url.raw_path)
        if not methods:
            return _detail(404, not_here(request.method, PREFIX) + self._slip(request))
        if operation is None:
            said = f"{request.method} is not allowed here, only {' and '.join(sorted(methods))}"
            response = _detail(405, said + self._slip(request))
            response.headers.update(allowed(methods))
            return response
        try:
            grant = self._access.grant(request.headers, self._options)
            memory = AsyncMemory(self._engine, tenant=grant.tenant)
            body = await self._body(request)
            reading = partial(read, operation, url.raw_path, url.raw_query_string, body)
            long = body is not None and len(body) > INLINE_BYTES
            asked = await self._bulk.run(request.remote, reading) if long else reading()
            grant.check(names_scope=names_scope(asked))
            asked.version = expected_version(request.headers, taken=operation.if_match)
            found = await operation.handler(self, asked, memory)
            if operation.answer is MemoryDict:
                return _one(request, found)
            if isinstance(found, (Flushing, Following)):
                found = await found.answer(request, self._access.cors(request.headers))
            return found if isinstance(found, web.StreamResponse) else _json(200, found)
        except UnauthorizedError:
            response = _detail(401, "a valid API token is required")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        except (ScopeError, InvalidInputError, NotFoundError, ConflictError) as error:
            return _detail(_STATUS[type(error)], str(error) + self._slip(request))
        except web.HTTPRequestEntityTooLarge:
            return _detail(413, f"the body exceeds {self._options.max_body_bytes} bytes")
        except RecollectError as error:
            log.warning("the memory API failed: %s: %s", error.code, error)
            return _detail(503, f"{error.code}: memory is not available at the moment")
        except Exception as error:  # noqa: BLE001 - logged, and answered in the API's format
            return _detail(500, unexpected(error, "the memory API").message)

    async def add(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.add(
            asked["messages"],
            **scope_ids(asked),
            metadata=asked["metadata"],
            infer=asked["infer"],
            dedupe=asked["dedupe"],
            prompt=asked["prompt"],
            timestamp=asked["timestamp"],
            type=asked["type"],
            importance=asked["importance"],
        )

    async def search(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.search(
            _query(asked),
            **scope_ids(asked),
            limit=asked["limit"],
            threshold=asked["threshold"],
            multi_query=asked["multi_query"] or (),
            hyde=asked["hyde"] or (),
            cursor=asked["cursor"],
            **which_of(asked),
        )

    async def search_posted(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """The same with a body, where filters are easier to write."""
        return await self.search(asked, memory)

    async def explain(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """The memories that a chat with the message `q` would get, and why."""
        scope = Scope(tenant=memory.tenant, **scope_ids(asked))
        return await self._explainer.explain(scope, _query(asked))

    async def get_all(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.get_all(
            **scope_ids(asked), limit=asked["limit"], cursor=asked["cursor"], **which_of(asked)
        )

    async def count(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.count(**scope_ids(asked), **which_of(asked))

    async def delete_by_query(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.delete_by_query(
            **scope_ids(asked), dry_run=asked["dry_run"], erase=asked["erase"], **which_of(asked)
        )

    async def get(self, asked: Parameters, memory: AsyncMemory) -> Any:
        found = await memory.get(asked["memory_id"], **scope_ids(asked))
        if found is None:
            raise NotFoundError(f"there is no memory {asked['memory_id']!r}")
        return found

    async def update(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.update(
            asked["memory_id"],
            asked["text"],
            **scope_ids(asked),
            metadata=asked["metadata"],
            importance=asked["importance"],
            version=asked.version,
        )

    async def delete(self, asked: Parameters, memory: AsyncMemory) -> Any:
        await memory.delete(asked["memory_id"], **scope_ids(asked), version=asked.version)
        return {"deleted": 1}

    async def delete_all(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.delete_all(**scope_ids(asked))

    async def validate(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.validate(asked["memory_id"], **scope_ids(asked))

    async def restore(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.restore(asked["memory_id"], **scope_ids(asked))

    async def profile(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.profile(**scope_ids(asked))

    async def said(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.said(**scope_ids(asked), limit=asked["limit"])

    async def feedback(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.feedback(
            asked["memory_id"], asked["feedback"], reason=asked["reason"], **scope_ids(asked)
        )

    async def forget(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """Erase in all stores and return a receipt, or propose what to erase."""
        return await self._forgetting.forget(memory.tenant, asked)

    async def list_jobs(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await self._jobs.list(memory.tenant, limit=asked["limit"], state=asked["state"])

    async def retry_job(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await self._jobs.retry(whose_of(memory.tenant, asked), asked["job_id"])

    async def usage(self, _asked: Parameters, memory: AsyncMemory) -> Any:
        """The cost of learning for this tenant today."""
        return await self._jobs.usage(memory.tenant)

    async def history(self, asked: Parameters, memory: AsyncMemory) -> Any:
        return await memory.history(asked["memory_id"], **scope_ids(asked))

    async def reset(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """Remove everything of the tenant, if the request names it."""
        _check_confirmed(asked["confirm"], memory.tenant)
        await memory.reset()
        return {"reset": True}

    async def flush(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """Learn captured turns now; `Flushing` answers when that is done or the time is over."""
        whose = whose_of(memory.tenant, asked)
        scope = whose if isinstance(whose, Scope) else None
        if scope is None and self._access.many_tenants:
            raise ScopeError(SCOPE_REQUIRED)
        progress = self._engine.background.learning.flushing(scope, seconds=asked["seconds"])
        return Flushing(progress, stream=asked["stream"])

    async def events(self, asked: Parameters, memory: AsyncMemory) -> Any:
        """The changes from now on, of a scope or of the whole tenant."""
        if self._followers.full:
            return _detail(503, f"{self._followers.most} clients follow the changes already")
        return self._followers.follow(memory.subscribe(**scope_ids(asked)))

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
_STATUS: dict[type[RecollectError], int] = {
    ScopeError: 400,
    InvalidInputError: 400,
    NotFoundError: 404,
    ConflictError: 409,
    VersionError: 412,
}
_METHODS = ("GET", "POST", "PUT", "DELETE")


def _check_confirmed(confirm: str | None, tenant: str) -> None:
    if confirm != tenant:
        raise InvalidInputError(
            "confirm",
            "expected the name of the tenant, because this removes all of its memories: "
            f"send ?confirm={quote(tenant, safe='')} or {json.dumps({'confirm': tenant})}",
        )


def _query(asked: Parameters) -> str:
    return asked["query"] or "" if asked.get("q") is None else str(asked["q"])


def _json(status: int, value: Any) -> web.Response:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return web.Response(status=status, body=body, content_type="application/json")


def _one(request: web.Request, found: MemoryDict) -> web.Response:
    """A memory with its ETag; 304 if the client of a GET has it already."""
    if request.method == "GET" and is_known(request.headers, found):
        response = web.Response(status=304)
    else:
        response = _json(200, found)
    response.headers.update(etag_header(found))
    return response


def _detail(status: int, message: str) -> web.Response:
    return _json(status, {"detail": message})
