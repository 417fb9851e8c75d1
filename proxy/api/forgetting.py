"""Forgetting over HTTP: by id, by scope, or by query with a proposal to confirm."""

from __future__ import annotations

from typing import Any

from recollect.memory import InvalidInputError, Scope
from recollect.memory.api.results import proposal_dict
from recollect.memory.forget import Forgetter, Receipt
from recollect.memory.query import EVERYTHING, check_filled, parse

from .call import ApiCall
from .operations import Parameters


class Forgetting:
    """Reads one of four bodies: `ids`, `query`, `confirm` (with a proposal's token), or `all`."""

    def __init__(self, forgetter: Forgetter) -> None:
        self._forgetter = forgetter

    async def forget(self, call: ApiCall) -> dict[str, Any]:
        """The receipt, or the proposal.

        Raises:
            InvalidInputError, ScopeError, ForbiddenError: the body is malformed; names the field.
            StoreError, StateError: a part failed, or erased text is still found; call again.
        """
        asked = call.asked
        ways = [name for name in ("ids", "query", "confirm", "all") if asked[name]]
        if len(ways) != 1:
            raise InvalidInputError("body", "expected one of ids, query, confirm, all")
        if asked["filters"] is not None and ways != ["query"]:
            # Ignored, it would erase more than was asked for.
            raise InvalidInputError("filters", "goes with a query only; see POST …/delete")
        if ways == ["ids"]:
            return (await self._forgetter.forget_ids(call.whose(), asked["ids"])).as_dict()
        scope = call.scope()
        if ways == ["query"]:
            check_filled(asked["filters"])
            where = EVERYTHING if asked["filters"] is None else parse(asked["filters"])
            proposal = await self._forgetter.propose(
                scope, asked["query"], asked["limit"], where=where
            )
            return {**proposal_dict(proposal)}
        if ways == ["confirm"]:
            receipt = await self._confirm(scope, asked)
        else:
            receipt = await self._forgetter.forget_scope(scope)
        return receipt.as_dict()

    async def _confirm(self, scope: Scope, asked: Parameters) -> Receipt:
        try:
            return await self._forgetter.confirm(scope, asked["confirm"], keep=asked["keep"])
        except InvalidInputError as error:
            if error.field != "token":
                raise
            raise InvalidInputError("confirm", error.expected) from None
