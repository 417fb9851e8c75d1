"""The hot index: a user's memories in this process, ready to be ranked."""

from .hot import HotIndexes

__all__ = ["HotIndexes"]
