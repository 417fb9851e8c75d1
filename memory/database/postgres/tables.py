"""Makes the tables while other replicas may do the same, and refuses those of another format."""

from __future__ import annotations

import logging
import re
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from ...model.errors import StateError
from ...model.format import FORMAT, NONE, refuse_other
from ..sealing.refusing import READ_NOTE, sealed_error
from ..tables import TABLES, made_by, missing

log = logging.getLogger(__name__)

_POSTGRES = {
    "INTEGER PRIMARY KEY AUTOINCREMENT": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "INTEGER PRIMARY KEY": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    # Texts are compared by their bytes, as in SQLite, whatever the database is set to.
    "TEXT": 'TEXT COLLATE "C"',
    " WITHOUT ROWID": "",
}
_OURS = re.compile("|".join(rf"{words}\b" for words in _POSTGRES))


def translated(tables: str) -> str:
    """The same tables as PostgreSQL takes them."""
    return _OURS.sub(lambda found: _POSTGRES[found[0]], tables)


_TABLES = f"""
    {translated(TABLES)};
    CREATE TABLE recollect_format (format INTEGER NOT NULL);
    INSERT INTO recollect_format VALUES ({FORMAT})
"""  # noqa: S608 - constants
_EARLIER = "memory_history"
"""A table of every format."""

LOCK = 0x5245434F4C4C
"""The advisory lock for making tables ("RECOLL"): several replicas may start at once."""


_MAY_NOT = (asyncpg.InsufficientPrivilegeError, asyncpg.ReadOnlySQLTransactionError)
MAKING_SECONDS = 300.0
"""Time limit for making tables, and for waiting until another replica has finished."""


async def make(connection: Any, shown: str, *, is_sealed: bool = False) -> None:
    """Make the tables if they are missing, in one transaction, one replica at a time.

    Raises:
        FormatError: they are of another format. `shown` names the database in it.
        EncryptionError: their texts are sealed, and are to be read as they are.
        StateError: a table of a later version is missing, and the role may not make it.
        asyncpg.PostgresError: the server refused.
    """
    async with connection.transaction():
        await alone(connection)
        found = await _format(connection)
        if found is None:
            await connection.execute(_TABLES, timeout=MAKING_SECONDS)
        else:
            refuse_other(shown, found)
            if not is_sealed and await _is_sealed(connection):
                raise sealed_error(shown)
            for statement in await _missing(connection):
                await _add(connection, shown, statement)


async def _is_sealed(connection: Any) -> bool:
    """Whether its texts are; a role that may not read the notes reads no memories either."""
    if not await connection.fetchval("SELECT has_table_privilege('notes', 'SELECT')"):
        return False
    return await connection.fetchval(READ_NOTE) is not None


async def alone(connection: Any) -> None:
    """Let no other replica make tables until the end of the transaction."""
    await connection.execute(f"SET LOCAL statement_timeout = {int(MAKING_SECONDS * 1000)}")
    await connection.fetch(f"SELECT pg_advisory_xact_lock({LOCK})", timeout=MAKING_SECONDS)


async def _missing(connection: Any) -> list[str]:
    """What makes the tables and indexes that an earlier version did not have, where ours are."""
    rows = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = "
        "(SELECT relnamespace FROM pg_class WHERE oid = to_regclass('recollect_format'))"
    )
    return missing(f"{translated(TABLES)};", {row[0] for row in rows})


async def _add(connection: Any, shown: str, statement: str) -> None:
    """Make it; without an index that may not be made it goes on, without a table it cannot."""
    try:
        async with connection.transaction():
            await connection.execute(statement, timeout=MAKING_SECONDS)
    except _MAY_NOT as error:
        kind, name = made_by(statement) or ("TABLE", statement)
        told = f"{shown} lacks the {kind.lower()} {name}, which this role may not make"
        advice = "start Recollect once with the role that owns the tables"
        if kind == "TABLE":
            raise StateError(f"{told}: {advice}", advice) from error
        log.warning("%s, so some reads are slower: %s", told, advice)


async def _format(connection: Any) -> int | None:
    """The format of the tables; None if there are none."""
    # Looked for first, so that a role without the right to create tables can use existing ones.
    if await connection.fetchval("SELECT to_regclass('recollect_format')") is not None:
        return int(await connection.fetchval("SELECT format FROM recollect_format"))
    there = await connection.fetchval("SELECT to_regclass($1)", _EARLIER)
    return None if there is None else NONE
