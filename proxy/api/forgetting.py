"""Forgetting over HTTP: by id, by scope, or by query, which is proposed and then confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory import InvalidInputError, Scope
from memory.forget import Forgetter, Receipt
from memory.inputs import DEFAULT_PROPOSAL
from memory.results import proposal_dict

from .fields import SCOPE_IDS, flag, only, optional_text, scope_ids, texts

_FIELDS = frozenset({*SCOPE_IDS, "ids", "query", "limit", "confirm", "keep", "all"})
MAX_LIMIT = 200
MAX_IDS = 10_000


class Forgetting:
    """One body, four ways: `ids`; `query`; `confirm` with the token of that; `all` of a scope."""

    def __init__(self, forgetter: Forgetter) -> None:
        self._forgetter = forgetter

    async def forget(self, tenant: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The receipt, or the proposal.

        Raises:
            InvalidInputError, ScopeError: the body is malformed; names the field.
            StoreError, StateError: a part failed, or it is still found; the same again goes on.
        """
        only(body, _FIELDS)
        asked = [name for name in ("ids", "query", "confirm", "all") if body.get(name)]
        if len(asked) != 1:
            raise InvalidInputError("body", "expected one of ids, query, confirm, all")
        if asked == ["ids"]:
            return await self._by_ids(tenant, body)
        scope = Scope(tenant=tenant, **scope_ids(body))
        if asked == ["query"]:
            return await self._propose(scope, body)
        if asked == ["confirm"]:
            receipt = await self._confirm(scope, body)
        else:
            flag(body, "all", default=False)
            receipt = await self._forgetter.forget_scope(scope)
        return receipt.as_dict()

    async def _confirm(self, scope: Scope, body: Mapping[str, Any]) -> Receipt:
        token = optional_text(body, "confirm") or ""
        try:
            return await self._forgetter.confirm(scope, token, keep=texts(body, "keep"))
        except InvalidInputError as error:
            if error.field != "token":
                raise
            raise InvalidInputError("confirm", error.expected) from None

    async def _by_ids(self, tenant: str, body: Mapping[str, Any]) -> dict[str, Any]:
        # No id has a lone surrogate, and no store takes one: such a name is one of nothing.
        ids = [name.encode("utf-8", "replace").decode() for name in texts(body, "ids")]
        if len(ids) > MAX_IDS:
            raise InvalidInputError("ids", f"expected at most {MAX_IDS}")
        return (await self._forgetter.forget_ids(tenant, ids)).as_dict()

    async def _propose(self, scope: Scope, body: Mapping[str, Any]) -> dict[str, Any]:
        limit = body.get("limit", DEFAULT_PROPOSAL)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_LIMIT:
            raise InvalidInputError("limit", f"expected a whole number from 1 to {MAX_LIMIT}")
        query = optional_text(body, "query") or ""
        return {**proposal_dict(await self._forgetter.propose(scope, query, limit))}
