"""Makes a table, or checks that it is the right one."""

from __future__ import annotations

from ..checks import check_embedder, foreign
from .database import Tables


async def prepare(tables: Tables, embedder_id: str, dim: int) -> None:
    """Make the table, or check that it is the right one.

    Raises:
        StoreMismatchError: it holds vectors of another embedder, or is not ours.
        StoreError: PostgreSQL refused, for example to install the extension.
    """
    found = await identity_in(tables)
    if found is None:
        await tables.make(embedder_id, dim)
        # Another replica may have made it first, for another embedder.
        found = await identity_in(tables)
    check_embedder(f"table {tables.table}", found, (embedder_id, dim))


async def identity_in(tables: Tables) -> tuple[str, int] | None:
    """Whose vectors it holds; None if there is none.

    Raises:
        StoreMismatchError: it is of another format, or not ours.
        StoreError: PostgreSQL refused.
    """
    found = await tables.identity()
    if found is None and await tables.exists():
        # Another replica may have made it meanwhile; its comment came with it.
        found = await tables.identity()
        if found is None:
            raise foreign(f"table {tables.table}")
    return found
