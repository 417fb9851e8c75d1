"""The methods of `AsyncMemory` that remove and erase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from ...model import inputs
from ...model.errors import InvalidInputError, NotFoundError
from ...model.row_kinds import MemoryKind, is_passage, kind_of
from ...model.shares import ShareKind
from ...model.types import MemoryItem, MemoryStatus, Scope
from ...operations.common import Expected, MemoryId
from ...operations.declaring import field, operation
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ...operations.signatures import takes_ids
from ...query import check_filled
from ...query.arguments import ScopedQuery
from ...records.lookup import check_id
from ..removing import (
    MOST_DELETED,
    check_deletable,
    erase_all_said,
    erase_said,
    with_their_turns,
)
from ..results import (
    DELETED,
    DeletedByQuery,
    DeleteResult,
    ForgetProposal,
    RemovedDict,
    memory_dict,
    proposal_dict,
)
from .base import MemoryCalls


def _one_removed(_values: Mapping[str, Any], _found: None) -> RemovedDict:
    return RemovedDict(deleted=1, message=DELETED)


class RemovingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that remove and erase."""

    @operation(
        f"DELETE {PREFIX}/{{memory_id}}",
        Right.WRITE,
        id="delete",
        by_id=True,
        answer=RemovedDict,
        told=_one_removed,
    )
    @operation(
        "DELETE /v1/memory/{memory_id}",
        Right.WRITE,
        id="delete_single",
        by_id=True,
        answer=RemovedDict,
        told=_one_removed,
    )
    async def delete(
        self, memory_id: MemoryId, *, version: Expected = None, **ids: Unpack[ScopeIds]
    ) -> None:
        """Remove a memory; its history is kept. Raises NotFoundError.

        With `version` only that version is removed, or else ConflictError is raised. Of what was
        said (`said`), the turn is erased.
        """
        inputs.check_version_number(version)
        owner_ref = self._view.owner_ref(**ids)
        async with self._engine.bus.announce_after(self._view.owner.tenant, memory_id):
            if is_passage(memory_id):
                await erase_said(self._engine, owner_ref, memory_id, version)
                return
            item = await self._lookup.existing(owner_ref, memory_id)
            await self._changes.delete([item], version)

    @operation(
        f"DELETE {PREFIX}",
        Right.WRITE,
        id="delete_all",
        summary="Remove the memories of a scope, all or those of the filters; histories are kept",
        answer=RemovedDict,
    )
    async def delete_all(self, **ids: Unpack[ScopeIds]) -> DeleteResult:
        """Remove all memories of a scope and what was said in it; the history stays."""
        scope = self._view.scope(**ids)
        async with self._engine.bus.announce_after(scope):
            said = await erase_all_said(self._engine, scope)
            await self._engine.parts.state.attachments.erase(scope, ShareKind.MEMORY)
            every = frozenset(MemoryStatus)
            items = await self._store.list(scope, limit=None, statuses=every)
            return DeleteResult(deleted=said + await self._changes.delete(items))

    @operation(f"POST {PREFIX}/delete", Right.WRITE, id="delete_by_query", body_required=True)
    async def delete_by_query(
        self,
        *,
        dry_run: Annotated[bool, field("Delete nothing: answer what would be deleted.")] = False,
        erase: Annotated[
            bool, field("Erase everywhere, as by a forget; the answer has a receipt.")
        ] = False,
        **which: Unpack[ScopedQuery],
    ) -> DeletedByQuery:
        """Remove the memories of a scope that a query describes, or show them.

        It is those that `which` describes; their history stays. With `erase` they are erased
        everywhere, as by `forget`; of what was said the turns always are, with all that was said in
        them. With `dry_run` nothing is removed, and the result is what would be. Something must be
        asked for besides the scope and a status; `delete_all` is for the whole scope. At most
        10,000 memories.
        """
        scope, asked = self._view.meant(which)
        check_deletable(asked, which.get("filters"), scope)
        async with self._engine.bus.announce_after(scope):
            items = await self._engine.queries.list(scope, asked, limit=MOST_DELETED + 1)
            if len(items) > MOST_DELETED:
                raise InvalidInputError(
                    "filters", f"must describe at most {MOST_DELETED} memories to delete"
                )
            items = await with_their_turns(self._engine, self._view.owner.tenant, items)
            result = DeletedByQuery(
                results=[memory_dict(item) for item in items], dry_run=dry_run, deleted=0
            )
            if items and not dry_run:
                await self._delete_described(scope, items, result, erase=erase)
            return result

    async def _delete_described(
        self, scope: Scope, items: Sequence[MemoryItem], result: DeletedByQuery, *, erase: bool
    ) -> None:
        """Delete what was described, and tell it in the result."""
        said = [item.id for item in items if erase or kind_of(item) is MemoryKind.SAID]
        receipt = await self._engine.forgetter.forget_ids(scope, said) if said else None
        result["deleted"] = len(said)
        if erase and receipt is not None:
            result["receipt"] = receipt.as_dict()
            return
        stored = [item for item in items if kind_of(item) is MemoryKind.MEMORY]
        result["deleted"] += await self._changes.delete(stored)

    @takes_ids
    async def forget(self, memory_id: str, **ids: Unpack[ScopeIds]) -> dict[str, Any]:
        """Erase a memory everywhere: its versions, its history, and the turns it comes from.

        Of what was said the whole turn is erased, with all that was said in it. Returns a receipt
        with counts. Raises NotFoundError, NotForgottenError.
        """
        check_id(memory_id)
        # Not looked up first: a deleted or half forgotten memory may have left something to erase.
        owner_ref = self._view.owner_ref(**ids)
        receipt = await self._engine.forgetter.forget_ids(owner_ref, [memory_id])
        if receipt.found_nothing:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        return receipt.as_dict()

    @takes_ids
    async def forget_ids(
        self, memory_ids: Sequence[str], **ids: Unpack[ScopeIds]
    ) -> dict[str, Any]:
        """Erase several memories everywhere, as `forget` does one.

        The receipt counts those of the `memory_ids` that are unknown as missing. Raises
        NotForgottenError.
        """
        inputs.check_ids("memory_ids", memory_ids)
        owner_ref = self._view.owner_ref(**ids)
        return (await self._engine.forgetter.forget_ids(owner_ref, memory_ids)).as_dict()

    @takes_ids
    async def forget_all(self, **ids: Unpack[ScopeIds]) -> dict[str, Any]:
        """Erase everything of a scope everywhere, including turns that wait to be learned.

        Returns a receipt with counts. Raises NotForgottenError.
        """
        scope = self._view.scope(**ids)
        return (await self._engine.forgetter.forget_scope(scope)).as_dict()

    @takes_ids
    async def propose_forget(
        self,
        query: str,
        *,
        limit: int = inputs.DEFAULT_PROPOSAL,
        filters: Mapping[str, Any] | None = None,
        near: bool = False,
        **ids: Unpack[ScopeIds],
    ) -> ForgetProposal:
        """The memories that `query` means, whatever their status, and a token to confirm it.

        What is named goes, in every spelling and script: a name, a number, a code. What is only
        like it is in `near` and stays, unless it is to go too (`near=True`). At most `limit`
        memories, of those that pass the `filters` (as of `search`); nothing is erased before
        `confirm_forget`.
        """
        scope, asked = self._view.meant({**ids, "filters": filters})
        check_filled(filters)
        inputs.check_query(query)
        most = inputs.checked_limit(limit)
        wanted = await self._engine.queries.resolved(scope, asked)
        return proposal_dict(
            await self._engine.forgetter.propose(scope, query, most, where=wanted.where, near=near)
        )

    @takes_ids
    async def confirm_forget(
        self, token: str, *, keep: Sequence[str] = (), **ids: Unpack[ScopeIds]
    ) -> dict[str, Any]:
        """Erase the memories that were proposed for this scope, except the ids in `keep`.

        `token` is that of `propose_forget`. Returns a receipt with counts. Raises
        NotForgottenError.
        """
        scope = self._view.scope(**ids)
        inputs.check_token(token)
        inputs.check_ids("keep", keep)
        return (await self._engine.forgetter.confirm(scope, token, keep=keep)).as_dict()

    async def reset(self) -> None:
        """Remove every memory of the tenant, its history, and the turns that wait to be learned."""
        self._view.owner.whole_tenant()
        await self._engine.forgetter.forget_tenant(self.tenant)
