"""Chroma: see `options`."""

from .options import ChromaStoreOptions

__all__ = ["ChromaStoreOptions"]
