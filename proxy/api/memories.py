"""What of the memory API is about this server, its caller's rights, or streams."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Unpack
from urllib.parse import quote

from recollect.memory import InvalidInputError, Scope, ScopeError
from recollect.memory.api.economics import DEFAULT_DAYS, MOST_DAYS, StatsResults
from recollect.memory.engine.engine import ChangeDict, Engine
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.inputs import DEFAULT_PROPOSAL
from recollect.memory.model.scope import SCOPE_REQUIRED
from recollect.memory.operations.common import CONDITIONS, MAX_IDS, Conditions, OptionalText
from recollect.memory.operations.declaring import As, field
from recollect.memory.operations.scope import ScopeIds

from ..access.identity import TENANT_HEADER
from ..access.rights import Right
from .answers import EVENT_STREAM, LINES
from .following import FlushDict, Flushing, Followers, Following
from .operations import PREFIX, handled_in, operation
from .request import Call

RESET = "/v1/reset"
FLUSH_SECONDS = 60
MAX_FLUSH_SECONDS = 3600
MAX_PROPOSAL = 200

_Ids = Annotated[Sequence[str], As(list[str])]
Erased = Annotated[
    _Ids,
    field("Ids of memories to erase. An unknown id is counted as missing.", max_length=MAX_IDS),
]
Everything = Annotated[bool, field("Erase everything of the scope.")]


class MemoryApi:
    """The handlers of `OPERATIONS`."""

    def __init__(self, engine: Engine, *, many_tenants: bool) -> None:
        """With `many_tenants`, a flush must name a scope."""
        self._engine = engine
        self._followers = Followers()
        self._many_tenants = many_tenants

    def close(self) -> None:
        """End the streams of changes; the server would wait for them."""
        self._followers.close()

    @operation(
        f"GET {PREFIX}/events",
        id="events",
        answer=ChangeDict,
        endless=True,
        streamed_as=(EVENT_STREAM, LINES),
    )
    async def events(self, call: Call, **ids: Unpack[ScopeIds]) -> Following:
        """The changes of memories as they are made, until the client leaves."""
        return self._followers.follow(call.memory.subscribe(**ids))

    @operation(
        f"POST {PREFIX}/flush",
        Right.WRITE,
        id="flush",
        twice=True,
        answer=FlushDict,
        streamed_as=(LINES, EVENT_STREAM),
    )
    async def flush(
        self,
        call: Call,
        *,
        seconds: Annotated[
            int,
            field(
                "Longest time that the request waits; jobs go on afterwards.",
                high=MAX_FLUSH_SECONDS,
            ),
        ] = FLUSH_SECONDS,
        stream: Annotated[
            bool,
            field(
                "Report progress, one JSON object per line. With `Accept: text/event-stream` the "
                "reports are server-sent events."
            ),
        ] = False,
        **ids: Unpack[ScopeIds],
    ) -> Flushing:
        """Learn captured turns now, for up to `seconds`; says what still waits."""
        owner_ref = call.owner.owner_ref(**ids)
        scope = owner_ref if isinstance(owner_ref, Scope) else None
        if scope is None and self._many_tenants:
            raise ScopeError(SCOPE_REQUIRED)
        progress = self._engine.background.learning.flushing(scope, seconds=seconds)
        return Flushing(progress, stream=stream)

    @operation(f"POST {PREFIX}/forget", Right.WRITE, id="forget", body_required=True)
    async def forget(
        self,
        call: Call,
        *,
        ids: Erased = (),
        query: Annotated[
            str | None, OptionalText, field("The subject of the memories to propose.")
        ] = None,
        limit: Annotated[int, field("Most proposals.", high=MAX_PROPOSAL)] = DEFAULT_PROPOSAL,
        confirm: Annotated[
            str | None,
            OptionalText,
            field("The token of a proposal; its memories are erased now."),
        ] = None,
        keep: Annotated[_Ids, field("Ids of the proposal to keep.", max_length=MAX_IDS)] = (),
        all: Everything = False,  # noqa: A002 - the field's name
        near: Annotated[bool, field("Propose what is only like the query, too.")] = False,
        filters: Annotated[Any, As(Conditions), field(CONDITIONS)] = None,
        **scope: Unpack[ScopeIds],
    ) -> dict[str, Any]:
        """Erase in all stores, or propose what to erase: one of ids, query, confirm, all."""
        if sum(map(bool, (ids, query, confirm, all))) != 1:
            raise InvalidInputError("body", "expected one of ids, query, confirm, all")
        if filters is not None and not query:
            # Ignored, it would erase more than was asked for.
            raise InvalidInputError("filters", "goes with a query only; see POST …/delete")
        if near and not query:
            raise InvalidInputError("near", "goes with a query only")
        memory = call.memory
        if ids:
            return await memory.forget_ids(ids, **scope)
        call.scope()  # Filters do not name whose memories are erased.
        if query:
            found = await memory.propose_forget(
                query, limit=limit, filters=filters, near=near, **scope
            )
            return {**found}
        if all:
            return await memory.forget_all(**scope)
        try:
            return await memory.confirm_forget(str(confirm), keep=keep, **scope)
        except InvalidInputError as error:
            name = "confirm" if error.field == "token" else error.field
            raise InvalidInputError(name, error.expected) from None

    @operation(f"GET {PREFIX}/stats", id="stats", of_all=True)
    async def stats(
        self,
        call: Call,
        days: Annotated[
            int, field("How many days (UTC), today included.", high=MOST_DAYS)
        ] = DEFAULT_DAYS,
        tenant: Annotated[
            str | None, OptionalText, field("Another tenant; for an admin token for every tenant.")
        ] = None,
    ) -> StatsResults:
        """What memory took and gave, by day (UTC)."""
        meant = _meant_tenant(call, tenant, many=self._many_tenants)
        memory = call.memory if meant == call.tenant else call.memory.for_tenant(meant)
        return await memory.stats(days)

    @operation(f"POST {RESET}", Right.ADMIN, id="reset", twice=True)
    async def reset(
        self,
        call: Call,
        confirm: Annotated[
            str | None,
            OptionalText,
            field("The name of the tenant whose memories are all removed."),
        ] = None,
    ) -> dict[str, bool]:
        """Remove all memories of the tenant; `confirm` must be the tenant's name."""
        _check_confirmed(confirm, call.tenant)
        await call.memory.reset()
        return {"reset": True}


OPERATIONS = handled_in(MemoryApi)


def _meant_tenant(call: Call, named: str | None, *, many: bool) -> str:
    """The caller's tenant, or the one that is named. Raises ForbiddenError."""
    grant = call.grant
    if named is None and many and grant.any_tenant and TENANT_HEADER not in call.http.headers:
        raise InvalidInputError("tenant", f"expected the name of one: {PREFIX}/tenants lists them")
    if named in (None, call.tenant):
        return call.tenant
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
