"""What a caller of an operation must be allowed."""

from __future__ import annotations

from enum import IntEnum


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
