"""What a caller of the memory API may do, and on whose memories. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.owner import Owner


class Right(IntEnum):
    """What an operation needs, and a credential has; each includes those before it."""

    NONE = 0
    """Needs no credential."""
    READ = 1
    WRITE = 2
    """Adds, changes and deletes memories of users."""
    ADMIN = 3
    """Acts on a whole tenant, or on how the server works."""

    @property
    def word(self) -> str:
        """Its name in answers, tokens and documents."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Grant:
    """What a request to the memory API may do."""

    owner: Owner
    right: Right = Right.ADMIN
    who: str = ""
    """The credential, by a name that is no secret, as the audit log has it."""
    administers: bool = False
    """Whether it acts for an operator: everything that it changes is in the audit log."""
    any_tenant: bool = False
    """Whether it may name every tenant."""

    def check(self, needed: Right) -> None:
        """Raises ForbiddenError if the credential lacks the right."""
        if needed > self.right:
            raise ForbiddenError(
                "Authorization",
                f"this needs the right `{needed.word}`, the credential has `{self.right.word}`",
            )
