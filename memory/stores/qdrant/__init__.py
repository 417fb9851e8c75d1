"""Qdrant: see `options`."""

from .options import QdrantStoreOptions

__all__ = ["QdrantStoreOptions"]
