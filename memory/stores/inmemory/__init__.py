"""Memories in this process: exact, ephemeral, the reference the other stores are held to."""

from .options import InMemoryStoreOptions
from .store import InMemoryStore

__all__ = ["InMemoryStore", "InMemoryStoreOptions"]
