"""Milvus: embedded, or a server."""

from __future__ import annotations

from ...model.errors import InvalidInputError
from ..options import MilvusIndexOptions
from ..port import VectorIndex


async def open_milvus(options: MilvusIndexOptions, *, name: str, dim: int) -> VectorIndex:
    """Raises StoreError, InvalidInputError: it has no place."""
    collection, seconds = f"{options.collection}_{name}", options.timeout_seconds
    if options.remote:
        from .server import MilvusIndex

        return await MilvusIndex.open(options, collection, dim=dim)
    if options.folder is None:
        raise InvalidInputError("index.uri", "expected the address of a Milvus server or a folder")
    from .lite import LiteIndex

    return await LiteIndex.open(options.folder, collection, dim=dim, seconds=seconds)
