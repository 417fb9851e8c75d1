"""Shares: memories and blocks attached to scopes that do not own them, with their rights."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .errors import ForbiddenError
from .scope import Scope


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
