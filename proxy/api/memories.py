"""The operations of the memory API: `AsyncMemory` over HTTP."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from recollect.memory import InvalidInputError, Scope, ScopeError
from recollect.memory.api.economics import StatsResults
from recollect.memory.api.results import (
    proposal_dict,
)
from recollect.memory.engine.engine import ChangeDict, Engine
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.scope import SCOPE_REQUIRED
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.query import EVERYTHING, check_filled, parse

from ..access.identity import TENANT_HEADER
from ..access.rights import Right
from . import models
from .answers import EVENT_STREAM, LINES
from .following import FlushDict, Flushing, Followers
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest, Values

RESET = "/v1/reset"


class MemoryApi:
    """The handlers of the operations on memories."""

    def __init__(self, engine: Engine, *, many_tenants: bool) -> None:
        """With `many_tenants`, a flush must name a scope."""
        self._engine = engine
        self._followers = Followers()
        self._many_tenants = many_tenants

    def close(self) -> None:
        """End the streams of changes; the server would wait for them."""
        self._followers.close()

    @endpoint(
        "GET", f"{PREFIX}/events", ChangeDict, query=ScopeFields, endless=True,
        streamed_as=(EVENT_STREAM, LINES),
    )  # fmt: skip
    async def events(self, request: ApiRequest) -> Any:
        """The changes of memories as they are made, until the client leaves."""
        return self._followers.follow(request.memory.subscribe(**request.ids))

    @endpoint(
        "POST", f"{PREFIX}/flush", FlushDict, Right.WRITE, query=models.FlushQuery,
        body=models.FlushBody, streamed_as=(LINES, EVENT_STREAM),
    )  # fmt: skip
    async def flush(self, request: ApiRequest) -> Any:
        """Learn captured turns now, for up to `seconds`; says what still waits."""
        owner_ref, values = request.owner_ref(), request.values
        scope = owner_ref if isinstance(owner_ref, Scope) else None
        if scope is None and self._many_tenants:
            raise ScopeError(SCOPE_REQUIRED)
        progress = self._engine.background.learning.flushing(scope, seconds=values["seconds"])
        return Flushing(progress, stream=values["stream"])

    @endpoint(
        "POST", f"{PREFIX}/forget", dict[str, Any], Right.WRITE, body=models.ForgetBody,
        body_required=True,
    )  # fmt: skip
    async def forget(self, request: ApiRequest) -> Any:
        """Erase in all stores, or propose what to erase: one of ids, query, confirm, all."""
        values, forgetter = request.values, self._engine.forgetter
        ways = [name for name in ("ids", "query", "confirm", "all") if values[name]]
        if len(ways) != 1:
            raise InvalidInputError("body", "expected one of ids, query, confirm, all")
        if values["filters"] is not None and ways != ["query"]:
            # Ignored, it would erase more than was asked for.
            raise InvalidInputError("filters", "goes with a query only; see POST …/delete")
        if values["near"] and ways != ["query"]:
            raise InvalidInputError("near", "goes with a query only")
        if ways == ["ids"]:
            return (await forgetter.forget_ids(request.owner_ref(), values["ids"])).as_dict()
        scope = request.scope()
        if ways == ["query"]:
            return await self._proposed(scope, values)
        if ways == ["all"]:
            return (await forgetter.forget_scope(scope)).as_dict()
        try:
            receipt = await forgetter.confirm(scope, values["confirm"], keep=values["keep"])
        except InvalidInputError as error:
            name = "confirm" if error.field == "token" else error.field
            raise InvalidInputError(name, error.expected) from None
        return receipt.as_dict()

    async def _proposed(self, scope: Scope, values: Values) -> dict[str, Any]:
        check_filled(values["filters"])
        where = EVERYTHING if values["filters"] is None else parse(values["filters"])
        query, limit, near = values["query"], values["limit"], values["near"]
        found = await self._engine.forgetter.propose(scope, query, limit, where=where, near=near)
        return {**proposal_dict(found)}

    @endpoint("GET", f"{PREFIX}/stats", StatsResults, query=models.StatsQuery, of_all=True)
    async def stats(self, request: ApiRequest) -> Any:
        """What memory took and gave, by day (UTC)."""
        tenant = _meant_tenant(request, many=self._many_tenants)
        memory = request.memory
        if tenant != request.tenant:
            memory = memory.for_tenant(tenant)
        return await memory.stats(request.values["days"])

    @endpoint(
        "POST", RESET, dict[str, bool], Right.ADMIN, query=models.ResetFields,
        body=models.ResetFields,
    )  # fmt: skip
    async def reset(self, request: ApiRequest) -> Any:
        """Remove all memories of the tenant; `confirm` must be the tenant's name."""
        _check_confirmed(request.values["confirm"], request.tenant)
        await request.memory.reset()
        return {"reset": True}


OPERATIONS = operations_of(MemoryApi)


def _meant_tenant(request: ApiRequest, *, many: bool) -> str:
    """The caller's tenant, or the one that `tenant` names. Raises ForbiddenError."""
    named, grant = request.values["tenant"], request.grant
    if named is None and many and grant.any_tenant and TENANT_HEADER not in request.http.headers:
        raise InvalidInputError("tenant", f"expected the name of one: {PREFIX}/tenants lists them")
    if named in (None, request.tenant):
        return request.tenant
    if not grant.any_tenant or grant.right < Right.ADMIN:
        raise ForbiddenError("tenant", "only an admin token for every tenant names another")
    return str(named)


def _check_confirmed(confirm: str | None, tenant: str) -> None:
    if confirm != tenant:
        raise InvalidInputError(
            "confirm",
            "expected the name of the tenant, because this removes all of its memories: "
            f"send ?confirm={quote(tenant, safe='')} or {json.dumps({'confirm': tenant})}",
        )


def _query(values: Values) -> str:
    return values["query"] or "" if values.get("q") is None else str(values["q"])
