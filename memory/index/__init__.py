"""Vector indexes that can be thrown away: the database is filled into them."""

from .opening import open_index
from .options import (
    ChromaIndexOptions,
    ExactIndexOptions,
    IndexOptions,
    MilvusIndexOptions,
    PgvectorIndexOptions,
    QdrantIndexOptions,
)

__all__ = [
    "ChromaIndexOptions",
    "ExactIndexOptions",
    "IndexOptions",
    "MilvusIndexOptions",
    "PgvectorIndexOptions",
    "QdrantIndexOptions",
    "open_index",
]
