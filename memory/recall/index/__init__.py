"""The hot index: a user's memories in this process, ready to be ranked."""

from .hot import HotIndexes
from .indexed_store import IndexedStore

__all__ = ["HotIndexes", "IndexedStore"]
