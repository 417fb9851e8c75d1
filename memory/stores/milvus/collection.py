"""Making sure the collection is there, and is the right one."""

from __future__ import annotations

from typing import Any

from ...errors import StoreError, StoreMismatchError
from .connection import Connection
from .dialect import Dialect, dialect_of
from .options import MilvusStoreOptions
from .schema import (
    EMBEDDER_PROPERTY,
    collection_schema,
    fingerprint,
    index_params,
    lite_partitions,
)

_BUILD_SECONDS = 60.0
"""Creating, indexing and loading may take longer than a search does."""


async def prepare(
    connection: Connection, options: MilvusStoreOptions, *, embedder_id: str, dim: int
) -> Dialect:
    """Find the collection or make it, check whose vectors it holds, and make it searchable.

    Every step can be repeated, so a start that was interrupted is finished by the next one.

    Raises:
        StoreError: Milvus refused, or the collection is not ours or of another embedder; names
            the collection, what was found and what was expected.
    """
    dialect = dialect_of(await connection.raw_call("get_server_version"))
    expected = fingerprint(embedder_id, dim)
    if not await connection.call("has_collection"):
        await _create(connection, dialect, options, expected, dim)
    check_identity(await connection.call("describe_collection"), expected, dim)
    if dialect.embedded:
        await _partition(connection)
    else:
        await _index(connection)
    await connection.call("load_collection", timeout_seconds=_BUILD_SECONDS)
    return dialect


def check_identity(description: dict[str, Any], expected: str, dim: int) -> None:
    """Whether this is the collection of this embedder.

    Raises:
        StoreMismatchError: it is not.
    """
    name = description["collection_name"]
    found = description.get("properties", {}).get(EMBEDDER_PROPERTY)
    vectors = [field for field in description["fields"] if field["name"] == "vector"]
    if found is None or not vectors:
        raise StoreMismatchError(
            f"the collection {name} is not one of Recollect's: name another one"
        )
    found_dim = int(vectors[0]["params"]["dim"])
    if found != expected or found_dim != dim:
        raise StoreMismatchError(
            f"the collection {name} holds vectors of {found} with {found_dim} dimensions, the "
            f"configured embedder is {expected}: configure that embedder, or another collection"
        )


async def _create(
    connection: Connection,
    dialect: Dialect,
    options: MilvusStoreOptions,
    expected: str,
    dim: int,
) -> None:
    partitions = {} if dialect.embedded else {"num_partitions": options.num_partitions}
    try:
        await connection.call(
            "create_collection",
            timeout_seconds=_BUILD_SECONDS,
            schema=collection_schema(dialect, dim),
            properties={EMBEDDER_PROPERTY: expected},
            # What listings get: pymilvus sends them with the collection's own level.
            consistency_level="Strong",
            **partitions,
        )
    except StoreError:
        # Another replica may have been faster; what it made is checked like any other.
        if not await connection.call("has_collection"):
            raise


async def _partition(connection: Connection) -> None:
    existing = set(await connection.call("list_partitions"))
    for name in lite_partitions():
        if name not in existing:
            await connection.call("create_partition", partition_name=name)


async def _index(connection: Connection) -> None:
    if not await connection.call("list_indexes", field_name="vector"):
        await connection.call(
            "create_index", timeout_seconds=_BUILD_SECONDS, index_params=index_params()
        )
