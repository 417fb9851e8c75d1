"""Working blocks, for `AsyncMemory.blocks`: named texts that are always in the prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Unpack

from pydantic import Field

from ..blocks import SeenBlock, frame, show
from ..blocks.rules import appended, check_value, replaced
from ..model import inputs
from ..model.blocks import Author
from ..model.errors import InvalidInputError
from ..model.shares import ShareRights
from ..model.types import Scope
from ..operations.common import OptionalText
from ..operations.declaring import LIBRARY_ONLY, As, field, operation
from ..operations.fields import TEXT
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from ..operations.told import ToolBlock
from ..operations.tooling import ADDS, REPLACES, Effects, Tier, tool
from .block_results import (
    AttachedDict,
    BlockDict,
    BlockErasedDict,
    BlockHistory,
    BlockResults,
    BlocksMetadata,
    BlockVersionDict,
    CompiledDict,
)
from .explaining import explainer_of
from .shares import Rights, Target, share_target
from .showing import shown_as
from .view import TenantView

_ALL = f"{PREFIX}/blocks"
_ONE = _ALL + "/{label}"
MOST_VERSIONS = 2**53
"""What JSON numbers hold exactly."""
Label = Annotated[str, TEXT, field("The label of the block.", title="a label")]
Written = Annotated[str, LIBRARY_ONLY]
Version = Annotated[
    int | None,
    As(Annotated[int, Field(ge=1, le=MOST_VERSIONS)]),
    field("Only if the block is still at this version. Leave out to change it as it is now."),
]
_BY_MODEL: Mapping[str, Any] = {"answer": ToolBlock, "given": {"author": Author.MODEL}}


def _erased(asked: Mapping[str, Any], _: None) -> BlockErasedDict:
    return BlockErasedDict(erased=asked["label"])


def _attached(asked: Mapping[str, Any], _: None) -> AttachedDict:
    return AttachedDict(label=asked["label"], to=asked["to"], attached=True)


def _detached(asked: Mapping[str, Any], _: None) -> AttachedDict:
    return AttachedDict(label=asked["label"], to=asked["to"], attached=False)


def _compiled(_: Mapping[str, Any], text: str) -> CompiledDict:
    return CompiledDict(text=text)


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

    @operation(f"POST {_ALL}", Right.WRITE, id="define_block")
    async def define(
        self,
        label: Annotated[
            str, TEXT, field("Its name: 1 to 64 letters, digits, `_` or `-`.", title="a label")
        ],
        *,
        value: Annotated[
            str, TEXT, field("Its text, if it is new; the text of one that is there stays.")
        ] = "",
        description: Annotated[
            str | None, OptionalText, field("What it is for, on one line.")
        ] = None,
        limit: Annotated[
            int | None, As(int), field("Most tokens of its text. Default: 500.", high=8_000)
        ] = None,
        read_only: Annotated[
            bool | None, field("Whether no model may write it. Default: false.")
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> BlockDict:
        """Make a block of a scope, or change what is given of the one that it has.

        The value of one that is there stays. `limit` is in tokens (default 500, at most 8,000). No
        model may write a block that is `read_only`.
        """
        scope = self._view.scope(**ids)
        made = await self._keeper.define(
            scope,
            label,
            value=value,
            description=description,
            limit=limit,
            read_only=read_only,
        )
        return self._shown(SeenBlock(made, writable=True, shared=False))

    @operation(f"GET {_ALL}", id="list_blocks")
    async def list(self, **ids: Unpack[ScopeIds]) -> BlockResults:
        """The working blocks that a scope sees, its own and attached ones, by label."""
        seen = await self._keeper.seen(self._view.scope(**ids))
        return BlockResults(results=[self._shown(each) for each in seen])

    @operation(f"GET {_ONE}", id="get_block")
    async def get(
        self,
        label: Label,
        **ids: Unpack[ScopeIds],
    ) -> BlockDict:
        """The block of this label that a scope sees. Raises NotFoundError."""
        return self._shown(await self._keeper.get(self._view.scope(**ids), label))

    @tool(
        "block_append",
        "Append to a block",
        Tier.WORKING,
        ADDS,
        description="Add lines at the end of a working block.",
        **_BY_MODEL,
    )
    @operation(f"POST {_ONE}/append", Right.WRITE, id="append_to_block", ids_twice=True)
    async def append(
        self,
        label: Label,
        text: Annotated[str, TEXT, field("What is added as new lines.", title="some text")],
        *,
        version: Version = None,
        author: Written = Author.PERSON,
        **ids: Unpack[ScopeIds],
    ) -> BlockDict:
        """Add lines at the end of a block.

        With `version` only that version is changed, else VersionError is raised; without, changes
        at the same time follow each other. With the `author` `model` the block that comes of it
        must be one that a model may write (ForbiddenError): what looks planted, repeats the notes
        of a chat, sends or loads something, or orders the assistant about is a person's to write.
        Raises NotFoundError, ForbiddenError if the block can only be read, and InvalidInputError
        if it would be over its limit.
        """
        text = self._clean("text", text, empty=False)
        return await self._edit(
            self._view.scope(**ids),
            label,
            partial(appended, text=text),
            (version, author),
            field="text",
        )

    @tool(
        "block_replace",
        "Replace a piece of a block",
        Tier.WORKING,
        REPLACES,
        description="Replace one piece of a working block, such as a step that is done.",
        **_BY_MODEL,
    )
    @operation(f"POST {_ONE}/replace", Right.WRITE, id="replace_in_block", ids_twice=True)
    async def replace(
        self,
        label: Label,
        old: Annotated[
            str,
            TEXT,
            field(
                "A piece that stands in the block exactly once, word for word.", title="some text"
            ),
        ],
        new: Annotated[str, TEXT, field("What takes its place; may be empty.", title="some text")],
        *,
        version: Version = None,
        author: Written = Author.PERSON,
        **ids: Unpack[ScopeIds],
    ) -> BlockDict:
        """Replace the only piece of a block that is `old`.

        Raises as `append`, and InvalidInputError if `old` stands in it never or more than once.
        """
        new = self._clean("new", new)
        return await self._edit(
            self._view.scope(**ids),
            label,
            partial(replaced, old=check_value("old", old), new=new),
            (version, author),
            field="new",
        )

    @tool(
        "block_rethink",
        "Rewrite a block",
        Tier.WORKING,
        Effects(destructive=True, idempotent=True),
        description="Give a working block a whole new text: when it is full, or out of date.",
        **_BY_MODEL,
    )
    @operation(f"POST {_ONE}/rewrite", Right.WRITE, id="rewrite_block", ids_twice=True)
    async def rewrite(
        self,
        label: Label,
        value: Annotated[str, TEXT, field("The whole new text of the block.", title="some text")],
        *,
        version: Version = None,
        author: Written = Author.PERSON,
        **ids: Unpack[ScopeIds],
    ) -> BlockDict:
        """Give a block another text. Raises as `append`."""
        value = self._clean("value", value)
        return await self._edit(
            self._view.scope(**ids),
            label,
            lambda _: value,
            (version, author),
            field="value",
        )

    @operation(
        f"DELETE {_ONE}", Right.WRITE, id="delete_block", answer=BlockErasedDict, told=_erased
    )
    async def delete(
        self,
        label: Label,
        **ids: Unpack[ScopeIds],
    ) -> None:
        """Erase a block of exactly this scope, with its versions and attachments.

        Raises NotFoundError.
        """
        await self._keeper.delete(self._view.scope(**ids), label)

    @operation(f"GET {_ONE}/history", id="block_history")
    async def history(
        self,
        label: Label,
        **ids: Unpack[ScopeIds],
    ) -> BlockHistory:
        """The newest 21 versions of a block, newest first. Raises NotFoundError."""
        found = await self._keeper.versions(self._view.scope(**ids), label)
        return BlockHistory(results=[shown_as(BlockVersionDict, block) for block in found])

    @operation(
        f"POST {_ONE}/attach",
        Right.WRITE,
        id="attach_block",
        answer=AttachedDict,
        told=_attached,
        ids_twice=True,
    )
    async def attach(
        self,
        label: Label,
        to: Target,
        *,
        rights: Rights = ShareRights.READ,
        **ids: Unpack[ScopeIds],
    ) -> None:
        """Show a block of exactly this scope to another scope too.

        Raises NotFoundError, and ForbiddenError: one user's credential reaches no other user.
        """
        scope, target = self._view.scope(**ids), self._target(to)
        await self._keeper.attach(scope, label, target, ShareRights(rights))

    @operation(
        f"POST {_ONE}/detach",
        Right.WRITE,
        id="detach_block",
        answer=AttachedDict,
        told=_detached,
        ids_twice=True,
    )
    async def detach(
        self,
        label: Label,
        to: Target,
        **ids: Unpack[ScopeIds],
    ) -> None:
        """Show it to that scope no more. Raises NotFoundError."""
        scope, target = self._view.scope(**ids), self._target(to)
        await self._keeper.detach(scope, label, target)

    @operation(f"GET {PREFIX}/compiled", id="compiled", answer=CompiledDict, told=_compiled)
    async def compile(
        self,
        message: Annotated[
            str | None,
            OptionalText,
            field("What the user says in the chat; without it, what any chat is given."),
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> str:
        """What a chat of this scope is given, byte for byte.

        These are its blocks and, of a `message` that begins the chat, what it recalls; without one,
        the wishes about answers: all that a greeting gets. In a program without a proxy the mark in
        the tags is another one after each start. Raises InvalidInputError, StoreError,
        EmbeddingError.
        """
        scope = self._view.scope(**ids)
        engine = self._view.engine
        if message is not None:
            inputs.check_query(message, "message")
            return await explainer_of(engine).compiled(scope, message)
        reserve = engine.parts.tokens.count(frame())
        pinned = await engine.recaller.wishes(scope, reserve_tokens=reserve, show=show)
        return await engine.block_prompt.with_lines(scope, [hit.item for hit in pinned.chosen])

    @operation(f"GET {PREFIX}/metadata", id="blocks_metadata")
    async def metadata(self, **ids: Unpack[ScopeIds]) -> BlocksMetadata:
        """How many blocks a chat of this scope has, and how much of them is shown."""
        scope = self._view.scope(**ids)
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
        label: Label,
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
            version=version,
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
        return shown_as(
            BlockDict,
            block,
            tokens=self._tokens(seen),
            rights=ShareRights.WRITE if seen.writable else ShareRights.READ,
            shared=seen.shared,
            **({} if seen.shared else block.scope.ids()),
        )


def _author(author: str) -> Author:
    # Nobody says of themselves that they are another user.
    told = (Author.PERSON, Author.MODEL)
    if author not in told:
        raise InvalidInputError("author", f"expected one of {', '.join(told)}")
    return Author(author)
