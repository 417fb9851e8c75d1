"""Creates the collection, or checks that it is the right one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...model.errors import StoreError, StoreMismatchError
from ...model.format import refuse_other
from .connection import Connection
from .dialect import Abilities, dialect_of
from .options import PARTITIONS
from .schema import (
    EMBEDDER_PROPERTY,
    KEYWORD_VECTOR,
    KEYWORDS,
    collection_schema,
    fingerprint,
    format_of,
    index_params,
    lite_partitions,
    properties,
)
from .where import Tells

log = logging.getLogger(__name__)

_BUILD_SECONDS = 300.0
"""Creating, indexing and loading may take longer than a search."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened collection and its abilities."""

    dialect: Abilities
    has_terms: bool
    """Whether it has a column for index terms; those of older servers have none."""
    tells: Tells
    """What it tells of a memory's metadata."""


async def prepare(
    connection: Connection,
    *,
    embedder_id: str,
    dim: int,
    partitions: int = PARTITIONS,
    keywords: bool = False,
) -> Opened:
    """Find or create the collection, check whose vectors it holds, and make it searchable.

    Every step can be repeated, so an interrupted start is finished by the next one.

    Raises:
        StoreError: Milvus refused, or the collection is not ours or of another embedder; names
            the collection, what was found and what was expected.
    """
    dialect = dialect_of(await connection.raw_call("get_server_version"))
    keywords = keywords and dialect.keywords
    expected = fingerprint(embedder_id, dim)
    if not await connection.call("has_collection"):
        create = partial(_create, connection, dialect, properties(embedder_id, dim), partitions)
        await _create_best(create, dialect, dim, keywords=keywords)
    description = await connection.call("describe_collection")
    check_identity(description, expected)
    opened = await _make_searchable(connection, dialect, description)
    if keywords and not opened.has_terms:
        log.warning(
            "the collection %s was created without keyword search and is used without it; "
            "`recollect reindex` rebuilds it",
            connection.collection,
        )
    made = description.get("num_partitions", partitions)
    if not dialect.embedded and made != partitions:
        log.warning(
            "the collection %s has %d partitions, not %d as `store.partitions` says; "
            "`recollect reindex --rebuild` makes a new one",
            connection.collection,
            made,
            partitions,
        )
    return opened


async def reopen(connection: Connection) -> tuple[Opened, int]:
    """Make a collection of any embedder searchable; also returns its dimensions.

    Raises:
        StoreError: Milvus refused, or the collection is not ours.
    """
    dialect = dialect_of(await connection.raw_call("get_server_version"))
    description = await connection.call("describe_collection")
    _, dim = described_identity(description)
    return await _make_searchable(connection, dialect, description), dim


def described_identity(description: dict[str, Any]) -> tuple[str, int]:
    """The embedder and the dimensions a collection was created for.

    Raises:
        StoreMismatchError: it is of another format, or not ours.
    """
    said, name = description.get("properties", {}), description["collection_name"]
    vectors = [field for field in description["fields"] if field["name"] == "vector"]
    number = format_of(said)
    if number is None or not vectors:
        raise StoreMismatchError(
            f"the collection {name} is not one of Recollect's: name another one"
        )
    refuse_other(f"the collection {name}", number, StoreMismatchError)
    embedder_id = str(said[EMBEDDER_PROPERTY]).rpartition("@")[0]
    return embedder_id, int(vectors[0]["params"]["dim"])


def check_identity(description: dict[str, Any], expected: str) -> None:
    """Return if this is the collection of the expected embedder.

    Raises:
        StoreMismatchError: it is not.
    """
    found = fingerprint(*described_identity(description))
    if found != expected:
        name = description["collection_name"]
        raise StoreMismatchError(
            f"the collection {name} holds vectors of {found}, the configured embedder is "
            f"{expected}: configure that embedder or another collection, or run "
            "`recollect reindex` to embed what it holds with the new one"
        )


async def _make_searchable(
    connection: Connection, dialect: Abilities, description: dict[str, Any]
) -> Opened:
    columns = {field["name"] for field in description["fields"]}
    if dialect.embedded:
        await _partition(connection)
    else:
        for column in ("vector", KEYWORD_VECTOR):
            if column in columns:
                await _index(connection, column)
    await connection.call("load_collection", timeout_seconds=_BUILD_SECONDS)
    tells = Tells.TEXT if dialect.embedded else Tells.FACETS
    return Opened(dialect, has_terms=KEYWORDS in columns, tells=tells)


async def _create_best(
    create: Callable[[Any], Awaitable[None]], dialect: Abilities, dim: int, *, keywords: bool
) -> None:
    """Create it, without keyword search if the server fails to create one with it."""
    if keywords:
        try:
            await create(collection_schema(dialect, dim, keywords=True))
        except StoreError as error:
            log.warning("retrying without keyword search: %s", error)
        else:
            return
    await create(collection_schema(dialect, dim))


async def _create(
    connection: Connection,
    dialect: Abilities,
    said: Mapping[str, str],
    partitions: int,
    schema: Any,
) -> None:
    physical = {} if dialect.embedded else {"num_partitions": partitions}
    try:
        await connection.call(
            "create_collection",
            timeout_seconds=_BUILD_SECONDS,
            schema=schema,
            properties=dict(said),
            # The consistency of listings: pymilvus sends them with the collection's own level.
            consistency_level="Strong",
            **physical,
        )
    except StoreError:
        # Another replica may have created it first; it is checked like any other.
        if not await connection.call("has_collection"):
            raise


async def _partition(connection: Connection) -> None:
    existing = set(await connection.call("list_partitions"))
    for name in lite_partitions():
        if name not in existing:
            await connection.call("create_partition", partition_name=name)


async def _index(connection: Connection, column: str) -> None:
    if not await connection.call("list_indexes", field_name=column):
        await connection.call(
            "create_index", timeout_seconds=_BUILD_SECONDS, index_params=index_params(column)
        )
