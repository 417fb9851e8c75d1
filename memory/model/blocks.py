"""Working blocks: named texts of a scope that are always in the prompt, and their port."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .scope import Scope

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
