"""What all errors of the engine are."""

from __future__ import annotations


class RecollectError(Exception):
    """Base class of all errors of the engine."""

    code = "recollect_error"
    advice = ""
    """What to do about it, for `/readyz`: names no address, no path and no value."""
    part = ""
    """The part that could not be opened and its setting; empty outside of opening."""

    def __str__(self) -> str:
        told = super().__str__()
        return f"{self.part}: {told}" if self.part else told
