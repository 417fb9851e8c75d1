"""Shared memories, for `AsyncMemory.shares`: memories that other scopes than their own see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, NotRequired, Unpack

from typing_extensions import TypedDict

from ..database.attachments import SqlAttachments
from ..model.errors import ForbiddenError, InvalidInputError, NotFoundError
from ..model.owner import covers
from ..model.scope import SCOPE_IDS
from ..model.shares import Attachment, ShareKind, ShareRights
from ..model.types import MemoryItem, OwnerRef, Scope, utc_now
from ..operations.common import MemoryId
from ..operations.declaring import As, field, operation
from ..operations.fields import about
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import Id, ScopeFields, ScopeIds
from ..recall.shared_memories import SHARE, item_seen_from, rights_to
from .changing import Permit
from .results import MemoryDict, memory_dict
from .showing import shown_as
from .view import TenantView


class ShareDict(TypedDict):
    """A memory that is attached to a scope."""

    memory_id: str
    to: dict[str, str]
    """The ids of the scope that sees it."""
    rights: str
    """`read` or `write`."""
    given: bool
    """Whether it was given by the scope that was asked for; False: it was given to it."""
    created_at: str
    owner: NotRequired[dict[str, str]]
    """The ids of its owner, for whoever may see the whole tenant."""


class ShareResults(TypedDict):
    """What a scope gives and is given, newest first."""

    results: list[ShareDict]


_ONE = PREFIX + "/{memory_id}/shares"
Target = Annotated[
    Mapping[str, str],
    As(dict[str, str]),
    field(
        "The ids of the scope that it is shown to: `user_id`, `agent_id`, `run_id`.",
        title="an object with ids",
    ),
]
Rights = Annotated[str, As(ShareRights), field("What that scope may do.", strict=False)]


class UnshareQuery(ScopeFields):
    """The scope that a memory is shown to no more, and whose it is."""

    to: dict[str, str] | None = about("The ids of the scope that it is attached to.")
    to_user_id: Id = about("The user of the scope that it is attached to.")
    to_agent_id: Id = about("The agent of that scope.")
    to_run_id: Id = about("The run of that scope.")


class UnsharedDict(TypedDict):
    """The memory that a scope sees no more."""

    detached: str


def _target_of(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    to = {name: asked[f"to_{name}"] for name in SCOPE_IDS if asked[f"to_{name}"] is not None}
    return {"to": {**(asked["to"] or {}), **to}}


def _unshared(asked: Mapping[str, Any], _: None) -> UnsharedDict:
    return UnsharedDict(detached=asked["memory_id"])


class MemoryShares:
    """A memory that is attached to a scope is shown in it as the scope's own are.

    It is seen by every request that the scope admits: attached to a user, by all agents of the
    user; attached to an agent, by all users of the agent. It is recalled, searched, listed and
    counted there as long as it is active, without the ids of its owner, and what another user said
    is hearsay. With the right `write` its text, metadata and importance may be changed there. Only
    its owner deletes, validates or shares it.

    Raises, from every method: ScopeError, InvalidInputError and ForbiddenError before anything is
    done, StoreError and StateError when a part fails.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view
        engine = view.engine
        self._lookup, self._shared_memories, self._bus = (
            engine.lookup,
            engine.shared_memories,
            engine.bus,
        )
        self._attachments, self._store = engine.parts.state.attachments, engine.parts.store

    @operation(f"POST {_ONE}", Right.WRITE, id="share", by_id=True, ids_twice=True)
    async def attach(
        self,
        memory_id: MemoryId,
        to: Target,
        *,
        rights: Rights = ShareRights.READ,
        **ids: Unpack[ScopeIds],
    ) -> ShareDict:
        """Show a memory to another scope, to read or to write.

        Attached again, it has the new rights. A credential of one user reaches no other user:
        ForbiddenError. Raises NotFoundError.
        """
        named, given = share_target(to), ShareRights(rights)
        item = await self._lookup.existing(self._view.owner_ref(**ids), memory_id)
        target = self._view.scope(**named)
        attachment = Attachment(
            kind=ShareKind.MEMORY,
            item_id=item.id,
            owner=item.scope,
            to=target,
            rights=given,
            created_at=utc_now(),
        )
        async with self._bus.announce_after(target.tenant, SHARE + item.id):
            await self._attachments.attach(attachment)
        return self._shown(attachment, given=True)

    @operation(
        f"DELETE {_ONE}",
        Right.WRITE,
        id="unshare",
        by_id=True,
        answer=UnsharedDict,
        told=_unshared,
        query=UnshareQuery,
        taken=_target_of,
    )
    async def detach(
        self,
        memory_id: MemoryId,
        to: Target,
        **ids: Unpack[ScopeIds],
    ) -> None:
        """Show a memory to a scope no more. Raises NotFoundError if it is not attached to it.

        Its owner may, and whoever it is attached to.
        """
        if not to:
            # Whose it is counts first: of somebody else's memory nobody is told more.
            await self.of(memory_id, **ids)
        named = share_target(to)
        owner_ref = self._view.owner_ref(**ids)
        target = self._view.scope(**named)
        found = await self._of(target.tenant, memory_id)
        mine = [
            each
            for each in found
            if each.to == target and (covers(owner_ref, each.owner) or covers(owner_ref, each.to))
        ]
        async with self._bus.announce_after(target.tenant, f"{SHARE}{memory_id}"):
            if not mine or not await self._attachments.detach(ShareKind.MEMORY, memory_id, target):
                raise NotFoundError(f"the memory {memory_id!r} is not attached to this scope")

    @operation(f"GET {_ONE}", id="memory_shares", by_id=True)
    async def of(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> ShareResults:
        """The scopes that a memory of one's own is attached to. Raises NotFoundError."""
        item = await self._lookup.existing(self._view.owner_ref(**ids), memory_id)
        found = await self._of(item.scope.tenant, item.id)
        return ShareResults(results=[self._shown(each, given=True) for each in _newest(found)])

    @operation(f"GET {PREFIX}/shares", id="list_shares")
    async def list(self, **ids: Unpack[ScopeIds]) -> ShareResults:
        """What a scope's memories are attached to, and what is attached to it, newest first."""
        scope = self._view.scope(**ids)
        found = await self._attachments.of_owner(scope)
        seen = await self._attachments.for_scope(scope, ShareKind.MEMORY)
        every = {(each.item_id, each.to): each for each in (*found, *seen)}
        memories = [each for each in every.values() if each.kind is ShareKind.MEMORY]
        return ShareResults(
            results=[
                self._shown(each, given=scope.admits(each.owner)) for each in _newest(memories)
            ]
        )

    async def find(self, owner_ref: OwnerRef, memory_id: str) -> MemoryItem | None:
        """The owner's memory with this id, or the one that is attached to it, as it sees it."""
        own = await self._lookup.find(owner_ref, memory_id)
        if own is not None or not isinstance(owner_ref, Scope):
            return own
        return await self._shared_memories.find(owner_ref, memory_id)

    async def changeable(
        self, owner_ref: OwnerRef, memory_id: str
    ) -> tuple[MemoryItem, Permit | None]:
        """A memory that the owner may change, and what is asked again while it is changed.

        Raises NotFoundError, and ForbiddenError if it can only be read from there.
        """
        if isinstance(owner_ref, Scope) and await self._lookup.find(owner_ref, memory_id) is None:
            lent = await self._shared_memories.find(owner_ref, memory_id)
            found = await self._store.get(owner_ref.tenant, [memory_id]) if lent else []
            if found:
                permit = partial(self._check_may_write, owner_ref, memory_id)
                await permit(self._attachments)
                return found[0], permit
        return await self._lookup.existing(owner_ref, memory_id), None

    def shown(self, owner_ref: OwnerRef, item: MemoryItem) -> MemoryDict:
        """A memory as an owner sees it, to whom it may only be attached."""
        if not isinstance(owner_ref, Scope) or owner_ref.admits(item.scope):
            return memory_dict(item)
        return memory_dict(item_seen_from(owner_ref, item))

    @staticmethod
    async def _check_may_write(scope: Scope, memory_id: str, attachments: SqlAttachments) -> None:
        rights = await rights_to(attachments, scope, memory_id)
        if rights is None:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        if rights is not ShareRights.WRITE:
            raise ForbiddenError("memory_id", "this memory may only be read from here")

    async def _of(self, tenant: str, memory_id: str) -> Sequence[Attachment]:
        return await self._attachments.of_items(tenant, ShareKind.MEMORY, [memory_id])

    def _shown(self, attachment: Attachment, *, given: bool) -> ShareDict:
        return shown_as(
            ShareDict,
            attachment,
            memory_id=attachment.item_id,
            to=attachment.to.ids(),
            given=given,
            owner=attachment.owner.ids() if self._view.owner.user_id is None else None,
        )


def share_target(to: Mapping[str, str]) -> dict[str, Any]:
    """The ids of a scope that something is attached to. Raises InvalidInputError."""
    if not isinstance(to, Mapping) or not to or not to.keys() <= set(SCOPE_IDS):
        raise InvalidInputError("to", f"expected an object with some of {', '.join(SCOPE_IDS)}")
    return {name: to.get(name) for name in SCOPE_IDS}


def _newest(attachments: Sequence[Attachment]) -> Sequence[Attachment]:
    return sorted(attachments, key=lambda one: (one.created_at, one.item_id), reverse=True)
