"""The tools of working blocks: read, append, replace, rethink. What they write is a model's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field
from typing_extensions import TypedDict

from ..model.blocks import Author
from ..model.inputs import MAX_TEXT_CHARS
from .surface import Bound
from .tool import ADDS, READS, REPLACES, Effects, Tier, Tool, ToolArguments, ToolGuard

LABEL = "The label of the block."
VERSION = "Only if the block is still at this version. Leave out to change it as it is now."
_WRITTEN = {"author": Author.MODEL.value}


class ToolBlock(TypedDict):
    """A block as a tool shows it."""

    label: str
    description: str
    value: str
    version: int
    tokens: int
    limit: int
    """Most tokens."""
    writable: bool


class ToolBlocks(TypedDict):
    """The blocks of the scope, by label."""

    blocks: list[ToolBlock]


class BlockReadArguments(ToolArguments):
    """Of `block_read`."""

    label: str | None = Field(None, description=f"{LABEL} Leave out for all blocks.")


class BlockAppendArguments(ToolArguments):
    """Of `block_append`."""

    label: str = Field(description=LABEL)
    text: str = Field(description="What is added as new lines.", max_length=MAX_TEXT_CHARS)
    version: int | None = Field(None, description=VERSION)


class BlockReplaceArguments(ToolArguments):
    """Of `block_replace`."""

    label: str = Field(description=LABEL)
    old: str = Field(
        description="A piece that stands in the block exactly once, word for word.",
        max_length=MAX_TEXT_CHARS,
    )
    new: str = Field(description="What takes its place; may be empty.", max_length=MAX_TEXT_CHARS)
    version: int | None = Field(None, description=VERSION)


class BlockRethinkArguments(ToolArguments):
    """Of `block_rethink`."""

    label: str = Field(description=LABEL)
    value: str = Field(description="The whole new text of the block.", max_length=MAX_TEXT_CHARS)
    version: int | None = Field(None, description=VERSION)


async def _read(bound: Bound, asked: BlockReadArguments) -> Mapping[str, Any]:
    if asked.label is not None:
        return ToolBlocks(blocks=[_shown(await bound.memory.blocks.get(asked.label, **bound.ids))])
    found = await bound.memory.blocks.list(**bound.ids)
    return ToolBlocks(blocks=[_shown(each) for each in found["results"]])


async def _append(bound: Bound, asked: BlockAppendArguments) -> Mapping[str, Any]:
    return _shown(
        await bound.memory.blocks.append(
            asked.label, asked.text, version=asked.version, **_WRITTEN, **bound.ids
        )
    )


async def _replace(bound: Bound, asked: BlockReplaceArguments) -> Mapping[str, Any]:
    return _shown(
        await bound.memory.blocks.replace(
            asked.label, asked.old, asked.new, version=asked.version, **_WRITTEN, **bound.ids
        )
    )


async def _rethink(bound: Bound, asked: BlockRethinkArguments) -> Mapping[str, Any]:
    return _shown(
        await bound.memory.blocks.rewrite(
            asked.label, asked.value, version=asked.version, **_WRITTEN, **bound.ids
        )
    )


def _shown(block: Mapping[str, Any]) -> ToolBlock:
    return ToolBlock(
        label=block["label"],
        description=block["description"],
        value=block["value"],
        version=block["version"],
        tokens=block["tokens"],
        limit=block["limit"],
        writable=block["rights"] == "write" and not block["read_only"],
    )


BLOCK_TOOLS = (
    Tool(
        name="block_read",
        title="Read blocks",
        description="Read the working blocks: short texts that you keep up to date yourself.",
        tier=Tier.WORKING,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=BlockReadArguments,
        answer=ToolBlocks,
        run=_read,
    ),
    Tool(
        name="block_append",
        title="Append to a block",
        description="Add lines at the end of a working block.",
        tier=Tier.WORKING,
        guard=ToolGuard.WRITE,
        effects=ADDS,
        arguments=BlockAppendArguments,
        answer=ToolBlock,
        run=_append,
    ),
    Tool(
        name="block_replace",
        title="Replace a piece of a block",
        description="Replace one piece of a working block, such as a step that is done.",
        tier=Tier.WORKING,
        guard=ToolGuard.WRITE,
        effects=REPLACES,
        arguments=BlockReplaceArguments,
        answer=ToolBlock,
        run=_replace,
    ),
    Tool(
        name="block_rethink",
        title="Rewrite a block",
        description="Give a working block a whole new text: when it is full, or out of date.",
        tier=Tier.WORKING,
        guard=ToolGuard.WRITE,
        effects=Effects(destructive=True, idempotent=True),
        arguments=BlockRethinkArguments,
        answer=ToolBlock,
        run=_rethink,
    ),
)
