"""Refuses a sealed database that is opened without keys: its texts would be read as they are."""

from __future__ import annotations

from ...model.errors import EncryptionError
from ..scripts import ScriptRunner

NOTE = "encryption"
"""The note that says which keys the texts are sealed with."""
READ_NOTE = f"SELECT value FROM notes WHERE name = '{NOTE}'"  # noqa: S608 - a constant


async def refuse_sealed(inner: ScriptRunner, shown: str) -> None:
    """Raises EncryptionError if it is sealed, StateError."""
    if await inner.statement(READ_NOTE, {}):
        raise sealed_error(shown)


def sealed_error(shown: str) -> EncryptionError:
    """The refusal."""
    return EncryptionError(
        f"{shown} has sealed texts: set database.encryption and database.master_key as they were; "
        "nothing was changed"
    )
