"""Opens the configured index. A new backend is one file here and one ``case``."""

from __future__ import annotations

import re
from typing import Any, assert_never

from ..model.errors import InvalidInputError
from ..util.extras import INDEX_EXTRAS, missing_extra
from .blocking import BlockingIndex
from .options import (
    BlockingOptions,
    ChromaIndexOptions,
    ElasticIndexOptions,
    ExactIndexOptions,
    FaissIndexOptions,
    IndexOptions,
    MilvusIndexOptions,
    PgvectorIndexOptions,
    QdrantIndexOptions,
    RedisIndexOptions,
)
from .port import VectorIndex

_NAME = re.compile(r"[a-z0-9_]{1,32}")


async def open_index(options: IndexOptions, *, name: str, dim: int) -> VectorIndex:
    """Open the collection `name` for vectors of this size; `drop` makes it if it is not there.

    `name` tells embedder and format, in up to 32 of ``a-z0-9_``. Loads the client library of the
    configured backend only.

    Raises:
        StoreError: it cannot be reached or opened.
        InvalidInputError: its client library is not installed, or it has no address.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"not the name of an index: {name!r}")
    extra = INDEX_EXTRAS.get(options.backend)
    if extra is not None and (missing := missing_extra(extra)):
        raise InvalidInputError("index.backend", f"{extra} {missing}")
    match options:
        case ExactIndexOptions():
            from .exact import ExactIndex

            return ExactIndex(dim)
        case MilvusIndexOptions():
            from .milvus import open_milvus

            return await open_milvus(options, name=name, dim=dim)
        case PgvectorIndexOptions():
            from .pgvector import PgvectorIndex

            return await PgvectorIndex.open(options, name=name, dim=dim)
        case _:
            return await _blocking(options).open(options, name=name, dim=dim)


def _blocking(options: BlockingOptions) -> type[BlockingIndex[Any]]:
    """The index of these options, whose calls block."""
    match options:
        case QdrantIndexOptions():
            from .qdrant import QdrantIndex

            return QdrantIndex
        case ChromaIndexOptions():
            from .chroma import ChromaIndex

            return ChromaIndex
        case FaissIndexOptions():
            from .faiss import FaissIndex

            return FaissIndex
        case RedisIndexOptions():
            from .redis import RedisIndex

            return RedisIndex
        case ElasticIndexOptions():
            from .elastic import ElasticIndex

            return ElasticIndex
        case _ as never:
            assert_never(never)
