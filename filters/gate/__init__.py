"""The gate: skip memory for messages that cannot profit from it."""

from .decide import decide

__all__ = ["decide"]
