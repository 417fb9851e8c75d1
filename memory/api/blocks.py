"""Working blocks, for `AsyncMemory.blocks`: named texts that are always in the prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NotRequired

from typing_extensions import TypedDict

from ..blocks import SeenBlock, frame, show
from ..blocks.rules import appended, check_value, check_version, replaced
from ..model.blocks import Author, Block
from ..model.errors import InvalidInputError
from ..model.shares import ShareRights
from ..model.times import iso
from ..model.types import Scope
from .shares import share_rights, share_target
from .view import TenantView


class BlockDict(TypedDict):
    """A working block as a scope sees it."""

    id: str
    label: str
    description: str
    value: str
    limit: int
    """Most tokens of the value."""
    tokens: int
    read_only: bool
    """Whether no model may write it."""
    rights: str
    """`write` or `read`: what this scope may do with it."""
    shared: bool
    """Whether it was attached to this scope by its owner."""
    version: int
    author: str
    """Who wrote this version: `person`, `model`, or `shared`: another user (`writer`)."""
    writer: NotRequired[str]
    created_at: str
    updated_at: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]


class BlockResults(TypedDict):
    """The blocks of a scope, by label."""

    results: list[BlockDict]


class BlockVersionDict(TypedDict):
    """A version of a block."""

    version: int
    value: str
    description: str
    limit: int
    author: str
    writer: NotRequired[str]
    updated_at: str


class BlockHistory(TypedDict):
    """The versions of a block that are kept, newest first."""

    results: list[BlockVersionDict]


class BlocksMetadata(TypedDict):
    """Counts and sizes of the blocks of a scope."""

    blocks: int
    shared: int
    """Those of them that are attached to it."""
    value_tokens: int
    """Of all values together."""
    shown_tokens: int
    """Of what a chat is given of them, with the text around it."""
    shown_chars: int
    budget: int
    """Most tokens of that (`recall.block_budget`)."""
    complete: bool
    """Whether all of them are shown whole."""


class Blocks:
    """Each method takes the ids of a scope: `user_id`, `agent_id`, `run_id`, at least one of them.

    A scope sees its own blocks, those of the wider scopes (all agents of a user see the user's),
    and those that are attached to it; of one label the nearest. Blocks that are seen from a user
    but belong to no user (those of an agent) can only be read there.

    Raises, from every method: ScopeError and InvalidInputError before anything is done, StateError
    if the state cannot be used.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._keeper = view.engine.blocks

    async def define(
        self,
        label: str,
        *,
        value: str = "",
        description: str | None = None,
        limit: int | None = None,
        read_only: bool | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockDict:
        """Make a block of this scope, or change the description, limit or `read_only` of it.

        The value of one that is there stays. `limit` is in tokens (default 500, at most 8,000). No
        model may write a block that is `read_only`.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        made = await self._keeper.define(
            scope,
            label,
            value=value,
            description=description,
            limit=limit,
            read_only=read_only,
        )
        return self._shown(SeenBlock(made, writable=True, shared=False))

    async def list(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> BlockResults:
        """The blocks that a chat of this scope has in its prompt, by label."""
        seen = await self._keeper.seen(self._view.scope(user_id, agent_id, run_id))
        return BlockResults(results=[self._shown(each) for each in seen])

    async def get(
        self,
        label: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockDict:
        """The block of this label. Raises NotFoundError."""
        return self._shown(
            await self._keeper.get(self._view.scope(user_id, agent_id, run_id), label)
        )

    async def append(
        self,
        label: str,
        text: str,
        *,
        version: int | None = None,
        author: str = Author.PERSON,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockDict:
        """Add a line or more at the end of a block.

        With `version` only that version is changed, else VersionError is raised; without, changes
        at the same time follow each other. With the `author` `model` the block that comes of it
        must be one that a model may write (ForbiddenError): what looks planted, repeats the notes
        of a chat, sends or loads something, or orders the assistant about is a person's to write.
        Raises NotFoundError, ForbiddenError if the block can only be read, and InvalidInputError
        if it would be over its limit.
        """
        text = self._clean("text", text, empty=False)
        return await self._edit(
            self._view.scope(user_id, agent_id, run_id),
            label,
            partial(appended, text=text),
            (version, author),
            field="text",
        )

    async def replace(
        self,
        label: str,
        old: str,
        new: str,
        *,
        version: int | None = None,
        author: str = Author.PERSON,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockDict:
        """Replace the piece `old`, which must stand in the block exactly once, by `new`.

        Raises as `append`, and InvalidInputError if `old` stands in it never or more than once.
        """
        new = self._clean("new", new)
        return await self._edit(
            self._view.scope(user_id, agent_id, run_id),
            label,
            partial(replaced, old=check_value("old", old), new=new),
            (version, author),
            field="new",
        )

    async def rewrite(
        self,
        label: str,
        value: str,
        *,
        version: int | None = None,
        author: str = Author.PERSON,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockDict:
        """Give a block another value. Raises as `append`."""
        value = self._clean("value", value)
        return await self._edit(
            self._view.scope(user_id, agent_id, run_id),
            label,
            lambda _: value,
            (version, author),
            field="value",
        )

    async def delete(
        self,
        label: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> None:
        """Erase a block of exactly this scope, with its versions. Raises NotFoundError."""
        await self._keeper.delete(self._view.scope(user_id, agent_id, run_id), label)

    async def history(
        self,
        label: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> BlockHistory:
        """The newest 21 versions of a block, newest first. Raises NotFoundError."""
        found = await self._keeper.versions(self._view.scope(user_id, agent_id, run_id), label)
        return BlockHistory(results=[_version(block) for block in found])

    async def attach(
        self,
        label: str,
        to: Mapping[str, str],
        *,
        rights: str = ShareRights.READ,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> None:
        """Show a block of exactly this scope to the scope with the ids `to`, to `read` or `write`.

        Raises NotFoundError, and ForbiddenError: one user's credential reaches no other user.
        """
        scope, target = self._view.scope(user_id, agent_id, run_id), self._target(to)
        await self._keeper.attach(scope, label, target, share_rights(rights))

    async def detach(
        self,
        label: str,
        to: Mapping[str, str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> None:
        """Show it to that scope no more. Raises NotFoundError."""
        scope, target = self._view.scope(user_id, agent_id, run_id), self._target(to)
        await self._keeper.detach(scope, label, target)

    async def compile(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> str:
        """What a chat of this scope is given besides what it asks for, byte for byte.

        These are its blocks and the wishes about answers: all that a greeting gets. In a program
        without a proxy the mark in the tags is another one after each start. Raises StoreError.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        engine = self._view.engine
        reserve = engine.parts.tokens.count(frame())
        pinned = await engine.recaller.wishes(scope, reserve_tokens=reserve, show=show)
        return await engine.block_prompt.with_lines(scope, [hit.item for hit in pinned.chosen])

    async def metadata(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> BlocksMetadata:
        """How many blocks a chat of this scope has, and how much of them is shown."""
        scope = self._view.scope(user_id, agent_id, run_id)
        seen = await self._keeper.seen(scope)
        page = await self._view.engine.block_prompt.page(scope)
        return BlocksMetadata(
            blocks=len(seen),
            shared=sum(each.shared for each in seen),
            value_tokens=sum(map(self._tokens, seen)),
            shown_tokens=self._keeper.count(page.text) if page.text else 0,
            shown_chars=len(page.text),
            budget=self._view.engine.block_prompt.budget,
            complete=page.complete,
        )

    async def _edit(
        self,
        scope: Scope,
        label: str,
        change: Callable[[str], str],
        how: tuple[int | None, str],
        *,
        field: str,
    ) -> BlockDict:
        version, author = how
        seen = await self._keeper.edit(
            scope,
            label,
            change,
            field=field,
            author=_author(author),
            version=check_version(version),
        )
        return self._shown(seen)

    def _tokens(self, seen: SeenBlock) -> int:
        return self._keeper.count(seen.block.value) if seen.block.value else 0

    def _clean(self, field: str, text: str, *, empty: bool = True) -> str:
        return self._view.engine.redact(check_value(field, text, empty=empty))

    def _target(self, to: Mapping[str, str]) -> Scope:
        return self._view.scope(**share_target(to))

    def _shown(self, seen: SeenBlock) -> BlockDict:
        block = seen.block
        shown = BlockDict(
            id=block.id,
            label=block.label,
            description=block.description,
            value=block.value,
            limit=block.limit,
            tokens=self._tokens(seen),
            read_only=block.read_only,
            rights=(ShareRights.WRITE if seen.writable else ShareRights.READ).value,
            shared=seen.shared,
            version=block.version,
            author=block.author.value,
            created_at=iso(block.created_at),
            updated_at=iso(block.updated_at),
        )
        if block.writer is not None:
            shown["writer"] = block.writer
        if not seen.shared:
            shown |= block.scope.ids()  # type: ignore[typeddict-item]
        return shown


def _version(block: Block) -> BlockVersionDict:
    shown = BlockVersionDict(
        version=block.version,
        value=block.value,
        description=block.description,
        limit=block.limit,
        author=block.author.value,
        updated_at=iso(block.updated_at),
    )
    if block.writer is not None:
        shown["writer"] = block.writer
    return shown


def _author(author: str) -> Author:
    # Nobody says of themselves that they are another user.
    told = (Author.PERSON, Author.MODEL)
    if author not in told:
        raise InvalidInputError("author", f"expected one of {', '.join(told)}")
    return Author(author)
