"""Milvus: embedded (Milvus Lite in a process of its own) or a server, by the same code."""

from .options import MilvusStoreOptions

__all__ = ["MilvusStoreOptions"]
