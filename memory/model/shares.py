"""What is attached to scopes that do not own it: memories and blocks, with what they may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from .errors import ForbiddenError
from .scope import Scope
from .types import OwnerRef


class ShareKind(StrEnum):
    """What is attached."""

    MEMORY = "memory"
    BLOCK = "block"


class ShareRights(StrEnum):
    """What the scope that something is attached to may do with it."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """One memory or block of `owner`, attached to the scope `to` of the same tenant.

    A request whose scope `to` admits sees it: attached to a user, all agents of that user do;
    attached to an agent, all users of that agent do.

    Raises:
        ForbiddenError: the scopes are of two tenants.
    """

    kind: ShareKind
    item_id: str
    owner: Scope
    to: Scope
    rights: ShareRights
    created_at: datetime

    def __post_init__(self) -> None:
        if self.owner.tenant != self.to.tenant:
            raise ForbiddenError("to", "nothing is shared between tenants")


class Attachments(Protocol):
    """The attachments of all tenants. They name ids; whether these exist is the caller's business.

    A memory or block is attached to a scope once: with other rights it takes the place of itself.
    """

    async def exist(self, tenant: str) -> bool:
        """Whether a tenant has any attachment."""

    async def attach(self, attachment: Attachment) -> None:
        """Keep it durably."""

    async def detach(self, kind: ShareKind, item_id: str, to: Scope) -> bool:
        """Remove one; False if there is none."""

    async def of_items(
        self, tenant: str, kind: ShareKind, item_ids: Sequence[str]
    ) -> list[Attachment]:
        """All attachments of these items, in any order."""

    async def for_scope(self, scope: Scope, kind: ShareKind) -> list[Attachment]:
        """Those whose `to` admits the scope, in any order. Never of another tenant."""

    async def of_owner(self, owner_ref: OwnerRef) -> list[Attachment]:
        """Those given by an owner or to it, in any order."""

    async def erase(self, owner_ref: OwnerRef, kind: ShareKind | None = None) -> int:
        """Remove those given by an owner or to it, of one kind or all; returns how many."""

    async def erase_items(self, tenant: str, kind: ShareKind, item_ids: Sequence[str]) -> int:
        """Remove all attachments of these items; returns how many."""
