"""The hot index: a user's memories in this process, exact, ready to be ranked."""

from .hot import HotIndexes
from .store import IndexedStore
from .user_index import UserIndex

__all__ = ["HotIndexes", "IndexedStore", "UserIndex"]
