"""Memories in this process: exact, not durable, the reference for the other stores."""

from .options import InMemoryStoreOptions
from .store import InMemoryStore

__all__ = ["InMemoryStore", "InMemoryStoreOptions"]
