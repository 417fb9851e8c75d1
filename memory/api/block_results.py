"""What the methods of working blocks answer."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


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
    """Most tokens of that (`blocks.prompt.BLOCK_TOKENS`)."""
    complete: bool
    """Whether all of them are shown whole."""


class CompiledDict(TypedDict):
    """What a chat is given."""

    text: str


class BlockErasedDict(TypedDict):
    """The label of a block that is gone."""

    erased: str


class AttachedDict(TypedDict):
    """A block, and the ids of a scope that it was attached to or detached from."""

    label: str
    to: dict[str, str]
    attached: bool
