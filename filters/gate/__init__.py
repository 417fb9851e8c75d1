"""The gate: skip memory for messages that cannot profit from it."""

from .reasons import decide

__all__ = ["decide"]
