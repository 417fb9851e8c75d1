"""Makes a table, or checks that it is the right one."""

from __future__ import annotations

from ...model.errors import StoreMismatchError
from .database import Tables
from .schema import fingerprint, schema


async def prepare(tables: Tables, embedder_id: str, dim: int) -> None:
    """Make the table, or check that it is the right one.

    Raises:
        StoreMismatchError: it holds vectors of another embedder, or is not ours.
        StoreError: PostgreSQL refused, for example to install the extension.
    """
    found = await identity_in(tables)
    if found is None:
        await tables.migrated(schema(tables.table, embedder_id, dim))
        # Another replica may have made it first, for another embedder.
        found = await identity_in(tables)
    elif found == (embedder_id, dim):
        await tables.migrated(schema(tables.table, embedder_id, dim))
    if found != (embedder_id, dim):
        held = "nothing" if found is None else fingerprint(*found)
        raise StoreMismatchError(
            f"the table {tables.table} holds vectors of {held}, the configured embedder is "
            f"{fingerprint(embedder_id, dim)}: configure that embedder or another "
            "store.collection, or run `recollect reindex` to embed what it holds with the new one"
        )


async def identity_in(tables: Tables) -> tuple[str, int] | None:
    """Whose vectors it holds; None if there is none. Raises StoreMismatchError, StoreError."""
    found = await tables.identity()
    if found is None and await tables.exists():
        raise StoreMismatchError(
            f"the table {tables.table} is not one of Recollect's: name another one by "
            "store.collection"
        )
    return found
