"""Reads and changes working blocks: every rule about them is asked here, and nowhere else."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..model.blocks import Author, Block
from ..model.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    VersionError,
)
from ..model.shares import Attachment, ShareKind, ShareRights
from ..model.types import OwnerRef, Scope, utc_now
from ..recall import Withholding
from ..records.invalidation import InvalidationBus
from ..state import State
from . import rules
from .cache import BlockCache, announced
from .visibility import SeenBlock, seen_blocks

TRIES = 5
"""How often an edit that names no version is made again when somebody else was faster."""


class BlockKeeper:
    """The blocks of all tenants. Every method raises StateError if the state cannot be used."""

    def __init__(
        self,
        state: State,
        bus: InvalidationBus,
        *,
        count: Callable[[str], int],
        redact: Callable[[str], str],
        refuse: Callable[[str, str, Scope], Awaitable[str | None]],
        withholding: Withholding,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`count` counts tokens, `redact` removes secrets.

        `refuse` says why a model may not make one value another; None if it may. `withholding`
        keeps blocks from models.
        """
        self._withholding = withholding
        self._blocks, self._attachments = state.blocks, state.attachments
        self._bus = bus
        self.count = count
        self._redact, self._refuse, self._clock = redact, refuse, clock
        self._cache = BlockCache(self._blocks.exist, self._read)
        bus.subscribe(self._cache)

    async def seen(self, scope: Scope) -> Sequence[SeenBlock]:
        """The blocks that a request of this scope sees, by label."""
        return await self._readable(await self._cache.get(scope))

    async def _readable(self, seen: Sequence[SeenBlock]) -> Sequence[SeenBlock]:
        """Those that go to whoever reads them: for a model, the others are not there."""
        gone = await self._withholding.unread([one.block for one in seen])
        if not gone:
            return seen
        return tuple(one for one in seen if one.block.id not in gone)

    def knows(self, scope: Scope) -> bool:
        """Whether `seen` needs no state."""
        return self._cache.knows(scope)

    async def get(self, scope: Scope, label: str) -> SeenBlock:
        """The block of this label. Read anew: somebody is about to change it.

        Raises:
            NotFoundError: the scope sees none.
        """
        for seen in await self._readable(await self._read(scope)):
            if seen.block.label == label:
                return seen
        raise NotFoundError(f"there is no block {label!r}")

    async def define(
        self,
        scope: Scope,
        label: str,
        *,
        value: str,
        description: str | None,
        limit: int | None,
        read_only: bool | None,
    ) -> Block:
        """Make a block of exactly this scope, or change what is given of the one that it has.

        A new one has `value`; the value of one that is there stays.

        Raises:
            InvalidInputError: an argument is malformed, or the value is over the limit.
            ConflictError: others change it all the time.
        """
        rules.check_label(label)
        if description is not None:
            description = self._redact(rules.check_description(description))
        given = {"description": description, "limit": limit, "read_only": read_only}
        changes: dict[str, Any] = {name: said for name, said in given.items() if said is not None}
        text = self._redact(rules.check_value("value", value))
        for _ in range(TRIES):
            known = await self._own(scope, label)
            if known is None:
                made = self._new(scope, label, text, changes)
                if await self._created(made):
                    return made
            elif not changes:
                return known
            else:
                now = self._clock()
                made = rules.redefined(known, changes, at=now, count=self.count)
                if await self._changed(made):
                    return made
        raise ConflictError(f"others change the block {label!r}; try again")

    async def edit(
        self,
        scope: Scope,
        label: str,
        change: Callable[[str], str],
        *,
        field: str,
        author: Author,
        version: int | None,
    ) -> SeenBlock:
        """Let `change` make the next value of a block.

        What another user writes into an attached one is marked as theirs, and judged as a model's.
        Without a version the change is made again if somebody else was faster.

        Raises:
            NotFoundError: the scope sees no such block, or not any more.
            ForbiddenError: it may not write it, or not this.
            VersionError: it is at another version.
            InvalidInputError: the value would be over its limit; names `field`.
            ConflictError: others change it all the time.
        """
        for _ in range(TRIES):
            seen = await self.get(scope, label)
            block = seen.block
            if not seen.writable:
                raise ForbiddenError("label", f"the block {label!r} may only be read from here")
            if version is not None and version != block.version:
                raise VersionError(f"the block is at version {block.version}, not {version}")
            value = change(block.value)
            if value == block.value:
                return seen
            made = await self._edited(block, value, scope, field=field, author=author)
            if await self._changed(made):
                return SeenBlock(made, writable=True, shared=seen.shared)
        raise ConflictError(f"others change the block {label!r}; try again")

    async def _edited(
        self, block: Block, value: str, scope: Scope, *, field: str, author: Author
    ) -> Block:
        """The next version, if the author may write it from this scope."""
        others = block.scope.user_id != scope.user_id
        if (others or author is Author.MODEL) and (
            why := await self._refuse(block.value, value, scope)
        ):
            raise ForbiddenError(field, why)
        return rules.edited(
            block,
            value,
            field=field,
            author=author,
            writer=scope.named if others else None,
            at=self._clock(),
            count=self.count,
        )

    async def delete(self, scope: Scope, label: str) -> None:
        """Erase a block of exactly this scope, with its versions and attachments.

        Raises:
            NotFoundError: the scope has none; one that is attached to it is its owner's to erase.
        """
        await self._erase([await self._existing(scope, label)])

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Erase all blocks of an owner; returns how many."""
        return await self._erase(await self._blocks.of_owner(owner_ref))

    async def versions(self, scope: Scope, label: str) -> list[Block]:
        """The block and its earlier versions, newest first. Raises NotFoundError.

        Of one that is attached to the scope the version of now alone: what its owner had taken out
        of it was never shown.
        """
        seen = await self.get(scope, label)
        if seen.shared:
            return [seen.block]
        return [seen.block, *await self._blocks.versions(scope.tenant, seen.block.id)]

    async def attach(self, scope: Scope, label: str, to: Scope, rights: ShareRights) -> Attachment:
        """Show a block of exactly this scope to another one. Raises NotFoundError."""
        block = await self._existing(scope, label)
        attachment = Attachment(
            kind=ShareKind.BLOCK,
            item_id=block.id,
            owner=block.scope,
            to=to,
            rights=rights,
            created_at=self._clock(),
        )
        async with self._bus.announce_after(scope.tenant, announced(block.id)):
            await self._attachments.attach(attachment)
        return attachment

    async def detach(self, scope: Scope, label: str, to: Scope) -> None:
        """Show it no more. Raises NotFoundError: there is no such block, or it is not attached."""
        block = await self._existing(scope, label)
        async with self._bus.announce_after(scope.tenant, announced(block.id)):
            if not await self._attachments.detach(ShareKind.BLOCK, block.id, to):
                raise NotFoundError(f"the block {label!r} is not attached to this scope")

    def _new(self, scope: Scope, label: str, value: str, changes: Mapping[str, Any]) -> Block:
        now = self._clock()
        given = {"description": "", "limit": rules.DEFAULT_LIMIT, "read_only": False, **changes}
        rules.check_fits(value, given["limit"], field="value", count=self.count)
        return Block(
            id=str(uuid.uuid4()),
            scope=scope,
            label=label,
            value=value,
            version=1,
            author=Author.PERSON,
            created_at=now,
            updated_at=now,
            **given,
        )

    async def _created(self, block: Block) -> bool:
        others = await self._blocks.for_scope(block.scope)
        if sum(each.scope == block.scope for each in others) >= rules.MAX_BLOCKS:
            raise InvalidInputError("label", f"a scope has at most {rules.MAX_BLOCKS} blocks")
        async with self._bus.announce_after(block.scope.tenant, announced(block.id)):
            return await self._blocks.create(block)

    async def _changed(self, block: Block) -> bool:
        async with self._bus.announce_after(block.scope.tenant, announced(block.id)):
            return await self._blocks.change(block)

    async def _erase(self, blocks: Sequence[Block]) -> int:
        if not blocks:
            return 0
        tenant, ids = blocks[0].scope.tenant, [each.id for each in blocks]
        async with self._bus.announce_after(tenant, announced(ids[0])):
            await self._attachments.erase_items(tenant, ShareKind.BLOCK, ids)
            return await self._blocks.delete(tenant, ids)

    async def _existing(self, scope: Scope, label: str) -> Block:
        block = await self._own(scope, label)
        if block is None:
            raise NotFoundError(f"there is no block {label!r} of this scope")
        return block

    async def _own(self, scope: Scope, label: str) -> Block | None:
        found = await self._blocks.for_scope(scope)
        mine = (each for each in found if each.scope == scope and each.label == label)
        return next(mine, None)

    async def _read(self, scope: Scope) -> list[SeenBlock]:
        own = await self._blocks.for_scope(scope)
        attachments = await self._attachments.for_scope(scope, ShareKind.BLOCK)
        ids = sorted({each.item_id for each in attachments})
        named = await self._blocks.named(scope.tenant, ids) if ids else []
        return seen_blocks(scope, own, attachments, named)
