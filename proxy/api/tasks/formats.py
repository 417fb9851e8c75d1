"""What an import may be of."""

from __future__ import annotations

from enum import StrEnum

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import OwnerRef, Scope

FORMAT = "format"
"""In what a task was asked."""


class ImportFormat(StrEnum):
    """Whose export it is."""

    LINES = "lines"
    """Of Recollect."""
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    GEMINI = "gemini"


def check_whose(format_: ImportFormat, owner_ref: OwnerRef) -> None:
    """Another service's export names nobody here. Raises InvalidInputError without a user."""
    named = isinstance(owner_ref, Scope) and owner_ref.user_id
    if format_ is not ImportFormat.LINES and not named:
        raise InvalidInputError(
            "user_id", f"expected the user whose chats with {format_} these are"
        )
