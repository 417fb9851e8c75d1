"""The gate: skip memory for messages that cannot profit from it."""

__all__ = []
