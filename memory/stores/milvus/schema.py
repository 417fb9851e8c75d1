"""The collection: its columns, their limits, its index and the partition of a row."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from ...memories.fields import INTEGERS, MOST_BYTES, TEXT_BYTES
from ...model.format import FORMAT, NONE
from .dialect import Abilities
from .facets import FACETS

KEYWORDS = "terms"
"""The column of index terms, in collections with keyword search."""
KEYWORD_VECTOR = "terms_bm25"
"""The vector that Milvus computes from `KEYWORDS`."""

EMBEDDER_PROPERTY = "recollect.embedder"
"""The collection property that names the embedder of the vectors."""
FORMAT_PROPERTY = "recollect.format"
"""The one with the number of the format."""

LITE_PARTITIONS = 8
"""Named partitions of an embedded collection. Milvus Lite does not prune by partition key, and the
cost of a search grows with the partitions it covers; every flush writes one file for each partition
it touches. Measured at 10,000 rows: with 8 both are small. Another number is another format."""


def fingerprint(embedder_id: str, dim: int) -> str:
    """The identity of a collection's embedder."""
    return f"{embedder_id}@{dim}"


def properties(embedder_id: str, dim: int) -> dict[str, str]:
    """What a collection says of itself."""
    return {
        EMBEDDER_PROPERTY: fingerprint(embedder_id, dim),
        FORMAT_PROPERTY: str(FORMAT),
    }


def format_of(said: Mapping[str, Any]) -> int | None:
    """The format that the properties of a collection tell; None if it is not ours."""
    if EMBEDDER_PROPERTY not in said:
        return None
    found = str(said.get(FORMAT_PROPERTY, NONE))
    return int(found) if found.isdecimal() else NONE


def lite_partitions() -> list[str]:
    """The names of the embedded collection's partitions."""
    return [f"users_{number}" for number in range(LITE_PARTITIONS)]


def lite_partition(partition: str) -> str:
    """The partition that holds the rows of `Scope.partition`."""
    return f"users_{zlib.crc32(partition.encode()) % LITE_PARTITIONS}"


def collection_schema(dialect: Abilities, dim: int, *, keywords: bool = False) -> Any:
    """The columns for pymilvus, with or without those of keyword search."""
    from pymilvus import CollectionSchema, DataType, FieldSchema, Function, FunctionType

    texts = [
        FieldSchema(
            name,
            DataType.VARCHAR,
            max_length=size,
            is_primary=name == "id",
            is_partition_key=name == "partition" and not dialect.embedded,
        )
        for name, size in TEXT_BYTES.items()
    ]
    integers = [FieldSchema(name, DataType.INT64) for name in INTEGERS]
    importance = FieldSchema("importance", DataType.DOUBLE)
    vector = FieldSchema("vector", DataType.FLOAT_VECTOR, dim=dim)
    fields = [*texts, *integers, importance, vector]
    if not dialect.embedded:
        fields.append(FieldSchema(FACETS, DataType.JSON))
    if not keywords:
        return CollectionSchema(fields, enable_dynamic_field=False)
    terms = FieldSchema(KEYWORDS, DataType.VARCHAR, max_length=MOST_BYTES, enable_analyzer=True)
    computed = FieldSchema(KEYWORD_VECTOR, DataType.SPARSE_FLOAT_VECTOR)
    bm25 = Function("bm25", FunctionType.BM25, [KEYWORDS], [KEYWORD_VECTOR])
    return CollectionSchema(
        [*fields, terms, computed], enable_dynamic_field=False, functions=[bm25]
    )


def index_params(column: str) -> Any:
    """HNSW over cosine similarity, or BM25. Embedded collections have none: see `search_params`."""
    from pymilvus.milvus_client.index import IndexParams

    params = IndexParams()
    if column == KEYWORD_VECTOR:
        params.add_index(column, index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        return params
    params.add_index(
        column, index_type="HNSW", metric_type="COSINE", params={"M": 16, "efConstruction": 200}
    )
    return params


def search_params(dialect: Abilities, limit: int) -> dict[str, Any]:
    """Parameters of a search. HNSW requires `ef` of at least `limit`.

    Milvus Lite searches exactly over the filtered rows. At 10,000 rows its FLAT and HNSW were no
    faster (2.4 against 2.5 and 2.7 ms) and took 60 % more disk.
    """
    if dialect.embedded:
        return {"metric_type": "COSINE"}
    return {"metric_type": "COSINE", "params": {"ef": max(64, limit)}}
