"""The rights of a caller of the memory API, and whose memories they are for. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.owner import Owner
from recollect.memory.operations.rights import Right

__all__ = ["Grant", "Right"]


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
