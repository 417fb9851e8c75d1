"""The operations on working blocks: `AsyncMemory.blocks` over HTTP."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory.api.blocks import BlockDict, BlockHistory, BlockResults, BlocksMetadata
from recollect.memory.model.shares import ShareRights

from ..access.rights import Right
from .fields import RequestModel, Text, about, needed, whole, word
from .models import ScopeFields
from .operations import PREFIX, operation, operations_of
from .request import ApiRequest

BLOCKS = f"{PREFIX}/blocks"
MOST_VERSIONS = 2**53
"""What JSON numbers hold exactly."""
_OF_ONE = BLOCKS + "/{label}"


class CompiledDict(TypedDict):
    """What a chat is given besides what it asks for."""

    text: str


class BlockErasedDict(TypedDict):
    """The label of a block that is gone."""

    erased: str


class AttachedDict(TypedDict):
    """A block, and the ids of a scope that it was attached to or detached from."""

    label: str
    to: dict[str, str]
    attached: bool


class DefineBody(ScopeFields):
    """Of a block of exactly this scope."""

    label: Text = needed("Its name: 1 to 64 letters, digits, `_` or `-`.", title="a label")
    value: Text = about("Its text, if it is new; the text of one that is there stays.", "")
    description: Text | None = about("What it is for, on one line.")
    limit: int = whole("Most tokens of its text. Default: 500.", high=8_000, default=None)
    read_only: bool | None = about("Whether no model may write it. Default: false.")


class EditFields(ScopeFields):
    """Which version of a block is changed."""

    version: int = whole(
        "The version that the change is for; at another one nothing is changed (412).",
        high=MOST_VERSIONS,
        default=None,
    )


class AppendBody(EditFields):
    """What is added at the end of a block."""

    text: Text = needed("A line or more.", title="some text")


class ReplaceBody(EditFields):
    """A piece of a block, and what takes its place."""

    old: Text = needed("The piece; it must stand in the block exactly once.", title="some text")
    new: Text = needed("What takes its place.", title="some text")


class RewriteBody(EditFields):
    """Another text of a block."""

    value: Text = needed("The whole text.", title="some text")


class ToFields(RequestModel):
    """The ids of a scope."""

    to: dict[str, str] = needed(
        "The ids of the scope that it is shown to: `user_id`, `agent_id`, `run_id`.",
        title="an object with ids",
    )


class AttachBody(ToFields, ScopeFields):
    """Of a block of exactly this scope."""

    rights: ShareRights = word("What the other scope may do.", ShareRights.READ)


class DetachBody(ToFields, ScopeFields):
    """Of a block of exactly this scope."""


class BlockApi:
    """The handlers of `BLOCK_OPERATIONS`."""

    @operation("GET", BLOCKS, BlockResults, query=ScopeFields, tag="blocks")
    async def list_blocks(self, request: ApiRequest) -> Any:
        """The working blocks that a scope sees, its own and attached ones, by label."""
        return await request.memory.blocks.list(**request.ids)

    @operation("POST", BLOCKS, BlockDict, Right.WRITE, body=DefineBody, tag="blocks")
    async def define_block(self, request: ApiRequest) -> Any:
        """Make a block of a scope, or change what is given of the one that it has."""
        said = request.values.only("label", "value", "description", "limit", "read_only")
        return await request.memory.blocks.define(**said, **request.ids)

    @operation("GET", _OF_ONE, BlockDict, query=ScopeFields, tag="blocks")
    async def get_block(self, request: ApiRequest) -> Any:
        """The block of this label that a scope sees."""
        return await request.memory.blocks.get(request.values["label"], **request.ids)

    @operation("DELETE", _OF_ONE, BlockErasedDict, Right.WRITE, query=ScopeFields, tag="blocks")
    async def delete_block(self, request: ApiRequest) -> Any:
        """Erase a block of exactly this scope, with its versions and attachments."""
        label = request.values["label"]
        await request.memory.blocks.delete(label, **request.ids)
        return BlockErasedDict(erased=label)

    @operation("GET", f"{_OF_ONE}/history", BlockHistory, query=ScopeFields, tag="blocks")
    async def block_history(self, request: ApiRequest) -> Any:
        """The newest 21 versions of a block, newest first."""
        return await request.memory.blocks.history(request.values["label"], **request.ids)

    @operation(
        "POST", f"{_OF_ONE}/append", BlockDict, Right.WRITE, query=ScopeFields, body=AppendBody,
        tag="blocks",
    )  # fmt: skip
    async def append_to_block(self, request: ApiRequest) -> Any:
        """Add lines at the end of a block."""
        said = request.values.only("label", "text", "version")
        return await request.memory.blocks.append(**said, **request.ids)

    @operation(
        "POST", f"{_OF_ONE}/replace", BlockDict, Right.WRITE, query=ScopeFields, body=ReplaceBody,
        tag="blocks",
    )  # fmt: skip
    async def replace_in_block(self, request: ApiRequest) -> Any:
        """Replace the only piece of a block that is `old`."""
        said = request.values.only("label", "old", "new", "version")
        return await request.memory.blocks.replace(**said, **request.ids)

    @operation(
        "POST", f"{_OF_ONE}/rewrite", BlockDict, Right.WRITE, query=ScopeFields, body=RewriteBody,
        tag="blocks",
    )  # fmt: skip
    async def rewrite_block(self, request: ApiRequest) -> Any:
        """Give a block another text."""
        said = request.values.only("label", "value", "version")
        return await request.memory.blocks.rewrite(**said, **request.ids)

    @operation(
        "POST", f"{_OF_ONE}/attach", AttachedDict, Right.WRITE, query=ScopeFields, body=AttachBody,
        tag="blocks",
    )  # fmt: skip
    async def attach_block(self, request: ApiRequest) -> Any:
        """Show a block of exactly this scope to another scope too."""
        said = request.values.only("label", "to", "rights")
        await request.memory.blocks.attach(**said, **request.ids)
        return AttachedDict(label=said["label"], to=said["to"], attached=True)

    @operation(
        "POST", f"{_OF_ONE}/detach", AttachedDict, Right.WRITE, query=ScopeFields, body=DetachBody,
        tag="blocks",
    )  # fmt: skip
    async def detach_block(self, request: ApiRequest) -> Any:
        """Show it to that scope no more."""
        said = request.values.only("label", "to")
        await request.memory.blocks.detach(**said, **request.ids)
        return AttachedDict(label=said["label"], to=said["to"], attached=False)

    @operation("GET", f"{PREFIX}/compiled", CompiledDict, query=ScopeFields, tag="blocks")
    async def compiled(self, request: ApiRequest) -> Any:
        """What a chat of this scope is given besides what it asks for, byte for byte."""
        return CompiledDict(text=await request.memory.blocks.compile(**request.ids))

    @operation("GET", f"{PREFIX}/metadata", BlocksMetadata, query=ScopeFields, tag="blocks")
    async def blocks_metadata(self, request: ApiRequest) -> Any:
        """How many blocks a chat of this scope has, and how much of them is shown."""
        return await request.memory.blocks.metadata(**request.ids)


BLOCK_OPERATIONS = operations_of(BlockApi)
