"""Milvus: embedded (Milvus Lite in its own process) or a server, with the same code."""

from .options import MilvusStoreOptions

__all__ = ["MilvusStoreOptions"]
