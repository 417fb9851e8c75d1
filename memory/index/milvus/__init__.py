"""Milvus: embedded, or a server."""

from __future__ import annotations

import asyncio
from importlib import import_module

from ..options import MilvusIndexOptions
from ..port import VectorIndex


async def open_milvus(options: MilvusIndexOptions, *, name: str, dim: int) -> VectorIndex:
    """Raises StoreError, InvalidInputError: it has no place."""
    if options.remote:
        # Its client takes seconds to import: requests go on meanwhile.
        await asyncio.to_thread(import_module, ".server", __package__)
        from .server import MilvusIndex

        return await MilvusIndex.open(options, name=name, dim=dim)
    from .lite import LiteIndex

    return await LiteIndex.open(options, name=name, dim=dim)
