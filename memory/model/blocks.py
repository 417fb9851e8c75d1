"""Working blocks: named texts of a scope that are always in the prompt, and their port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from .scope import Scope
from .types import OwnerRef

KEPT_VERSIONS = 20
"""Earlier versions of one block that every backend keeps; the oldest go first."""


class Author(StrEnum):
    """Who wrote a version of a block."""

    PERSON = "person"
    """A program or a person, through the library or the API."""
    MODEL = "model"
    """A model, through a tool."""
    SHARED = "shared"
    """Another user, whom the block was attached to (`Block.writer`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One version of a working block.

    A request whose scope `scope` admits sees it: a user's block is seen by all agents of the user.
    """

    id: str
    scope: Scope
    label: str
    """Its name, once in a scope."""
    description: str
    """What it is for, for the model that reads and writes it."""
    value: str
    limit: int
    """Most tokens of the value."""
    read_only: bool
    """Whether no model may write it."""
    version: int
    """1 first; one more with each change."""
    author: Author
    created_at: datetime
    updated_at: datetime
    writer: str | None = None
    """The other user who wrote it (`Author.SHARED`), as "user_id=bob"."""

    @property
    def written_by(self) -> str:
        """Author and writer in one text, as it is kept: "person", "shared user_id=bob"."""
        return self.author.value if self.writer is None else f"{self.author.value} {self.writer}"


def writers(written_by: str) -> dict[str, Any]:
    """The fields `author` and `writer` of a kept text."""
    author, _, writer = written_by.partition(" ")
    return {"author": Author(author), "writer": writer or None}


class BlockStore(Protocol):
    """The working blocks of all tenants, with their earlier versions."""

    async def exist(self, tenant: str) -> bool:
        """Whether a tenant has any block."""

    async def create(self, block: Block) -> bool:
        """Keep a new block durably; False if its scope has one of this label or id."""

    async def change(self, block: Block) -> bool:
        """Let `block` take the place of the version before it, which is kept as an earlier one.

        False, and nothing is changed, unless the block is at that version: of two who change the
        same version one is refused.
        """

    async def for_scope(self, scope: Scope) -> list[Block]:
        """The blocks whose scope admits this one, in any order. Never of another tenant."""

    async def named(self, tenant: str, block_ids: Sequence[str]) -> list[Block]:
        """The blocks of a tenant with these ids, in any order."""

    async def of_owner(self, owner_ref: OwnerRef) -> list[Block]:
        """All blocks of a tenant, or of all that a scope admits, in any order."""

    async def versions(self, tenant: str, block_id: str) -> list[Block]:
        """The earlier versions of a block that are kept, newest first."""

    async def delete(self, tenant: str, block_ids: Sequence[str]) -> int:
        """Erase blocks with all of their versions; returns how many there were."""
