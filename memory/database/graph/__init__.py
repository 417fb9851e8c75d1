"""The graph in SQL that every database takes: scripts, and the store that runs them."""

from .store import SqlGraph

__all__ = ["SqlGraph"]
