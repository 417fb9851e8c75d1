"""The hot index: a user's memories in this process, ready to be ranked."""

from .hot_indexes import HotIndexes

__all__ = ["HotIndexes"]
