"""The handlers of the memory API: `AsyncMemory` over HTTP."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from recollect.memory import InvalidInputError, Scope, ScopeError
from recollect.memory.api.tenants import tenants_of
from recollect.memory.engine.engine import Engine
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.scope import SCOPE_REQUIRED

from ..chat.explaining import Explainer
from .adding import added_or_refused
from .call import ApiCall
from .flushing import Flushing
from .following import Followers
from .forgetting import Forgetting
from .jobs import JobsApi
from .mem0.events import Additions
from .mem0.memories import DELETED, answer_added, cleared, delete_all, existing, history, readable
from .operations import Parameters, scope_ids
from .which import which_of


class MemoryApi:
    """The handlers of `routes.OPERATIONS`."""

    def __init__(self, engine: Engine, explainer: Explainer, *, many_tenants: bool) -> None:
        """With `many_tenants`, a flush must name a scope."""
        self._engine = engine
        self._explainer = explainer
        self._forgetting = Forgetting(engine.forgetter)
        self._jobs = JobsApi(engine)
        self._followers = Followers()
        self._many_tenants = many_tenants
        self.additions = Additions()
        """The last additions, for those who ask for them as events."""

    def close(self) -> None:
        """End the streams of changes; the server would wait for them."""
        self._followers.close()

    async def add(self, call: ApiCall) -> Any:
        """With `output_format`, the answer that mem0's clients read."""
        ids, for_mem0 = scope_ids(call.asked), call.asked["output_format"] is not None
        messages = call.asked["messages"]
        adding = call.memory.add(
            readable(messages) if for_mem0 else messages,
            **ids,
            metadata=call.asked["metadata"],
            infer=call.asked["infer"],
            dedupe=call.asked["dedupe"],
            prompt=call.asked["prompt"],
            timestamp=call.asked["timestamp"],
            type=call.asked["type"],
            importance=call.asked["importance"],
        )
        if for_mem0:
            return await answer_added(self.additions, call, ids, adding)
        return await added_or_refused(adding)

    async def search(self, call: ApiCall) -> Any:
        return await call.memory.search(
            _query(call.asked),
            **scope_ids(call.asked),
            limit=call.asked["limit"],
            threshold=call.asked["threshold"],
            multi_query=call.asked["multi_query"] or (),
            hyde=call.asked["hyde"] or (),
            cursor=call.asked["cursor"],
            **which_of(call.asked),
        )

    async def search_posted(self, call: ApiCall) -> Any:
        """The same with a body, where filters are easier to write."""
        return await self.search(call)

    async def explain(self, call: ApiCall) -> Any:
        """The memories that a chat with the message `q` would get, and why."""
        return await self._explainer.explain(call.scope(), _query(call.asked))

    async def get_all(self, call: ApiCall) -> Any:
        return await call.memory.get_all(
            **scope_ids(call.asked),
            limit=call.asked["limit"],
            cursor=call.asked["cursor"],
            **which_of(call.asked),
        )

    async def count(self, call: ApiCall) -> Any:
        return await call.memory.count(**scope_ids(call.asked), **which_of(call.asked))

    async def delete_by_query(self, call: ApiCall) -> Any:
        return await call.memory.delete_by_query(
            **scope_ids(call.asked),
            dry_run=call.asked["dry_run"],
            erase=call.asked["erase"],
            **which_of(call.asked),
        )

    async def get(self, call: ApiCall) -> Any:
        return await existing(call)

    async def update(self, call: ApiCall) -> Any:
        """With nothing but a time of end that is cleared, the memory as it is: it has none."""
        if cleared(call):
            return await self.get(call)
        return await call.memory.update(
            call.asked["memory_id"],
            call.asked["text"],
            **scope_ids(call.asked),
            metadata=call.asked["metadata"],
            importance=call.asked["importance"],
            version=call.asked.version,
        )

    async def delete(self, call: ApiCall) -> Any:
        await call.memory.delete(
            call.asked["memory_id"], **scope_ids(call.asked), version=call.asked.version
        )
        return {"deleted": 1, "message": DELETED}

    async def delete_all(self, call: ApiCall) -> Any:
        """Everything of a scope, or what mem0's filters describe."""
        return await delete_all(call)

    async def validate(self, call: ApiCall) -> Any:
        return await call.memory.validate(call.asked["memory_id"], **scope_ids(call.asked))

    async def restore(self, call: ApiCall) -> Any:
        return await call.memory.restore(call.asked["memory_id"], **scope_ids(call.asked))

    async def conflicts(self, call: ApiCall) -> Any:
        return await call.memory.conflicts(**scope_ids(call.asked))

    async def settle(self, call: ApiCall) -> Any:
        return await call.memory.settle(
            call.asked["memory_id"], replaces=call.asked["replaces"] or (), **scope_ids(call.asked)
        )

    async def profile(self, call: ApiCall) -> Any:
        return await call.memory.profile(**scope_ids(call.asked))

    async def said(self, call: ApiCall) -> Any:
        return await call.memory.said(**scope_ids(call.asked), limit=call.asked["limit"])

    async def feedback(self, call: ApiCall) -> Any:
        return await call.memory.feedback(
            call.asked["memory_id"],
            call.asked["feedback"],
            reason=call.asked["reason"],
            **scope_ids(call.asked),
        )

    async def forget(self, call: ApiCall) -> Any:
        """Erase in all stores and return a receipt, or propose what to erase."""
        return await self._forgetting.forget(call)

    async def list_jobs(self, call: ApiCall) -> Any:
        tenant = call.owner.whole_tenant()
        return await self._jobs.list(tenant, limit=call.asked["limit"], state=call.asked["state"])

    async def retry_job(self, call: ApiCall) -> Any:
        return await self._jobs.retry(call.whose(), call.asked["job_id"])

    async def usage(self, call: ApiCall) -> Any:
        """The cost of learning for this tenant today."""
        return await self._jobs.usage(call.owner.whole_tenant())

    async def tenants(self, call: ApiCall) -> Any:
        """Who has memories here: for credentials that may name every tenant."""
        if not call.grant.any_tenant:
            raise ForbiddenError("Authorization", "only an admin token for every tenant lists them")
        return await tenants_of(self._engine.parts.store, self._engine.said_rows)

    async def history(self, call: ApiCall) -> Any:
        return await history(call)

    async def reset(self, call: ApiCall) -> Any:
        """Remove everything of the tenant, if the request names it."""
        _check_confirmed(call.asked["confirm"], call.tenant)
        await call.memory.reset()
        return {"reset": True}

    async def flush(self, call: ApiCall) -> Any:
        """Learn captured turns now; `Flushing` answers when that is done or the time is over."""
        whose = call.whose()
        scope = whose if isinstance(whose, Scope) else None
        if scope is None and self._many_tenants:
            raise ScopeError(SCOPE_REQUIRED)
        progress = self._engine.background.learning.flushing(scope, seconds=call.asked["seconds"])
        return Flushing(progress, stream=call.asked["stream"])

    async def events(self, call: ApiCall) -> Any:
        """The changes from now on, of a scope or of the whole tenant."""
        return self._followers.follow(call.memory.subscribe(**scope_ids(call.asked)))


def _check_confirmed(confirm: str | None, tenant: str) -> None:
    if confirm != tenant:
        raise InvalidInputError(
            "confirm",
            "expected the name of the tenant, because this removes all of its memories: "
            f"send ?confirm={quote(tenant, safe='')} or {json.dumps({'confirm': tenant})}",
        )


def _query(asked: Parameters) -> str:
    return asked["query"] or "" if asked.get("q") is None else str(asked["q"])
