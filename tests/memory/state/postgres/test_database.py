"""A PostgreSQL that reads and does not write: told in words, counted, and over by itself."""

from __future__ import annotations

import asyncpg
import pytest

from recollect.memory.database.history import SqlHistory
from recollect.memory.database.postgres import open_postgres
from recollect.memory.model.errors import StateUnwritableError
from recollect.memory.model.types import EventKind
from tests.memory.state.samples import record


async def run_as_admin(url: str, statement: str) -> None:
    admin = await asyncpg.connect(url)
    await admin.execute(statement)
    await admin.close()


FULL = """
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '{code}';
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER full_disk BEFORE INSERT ON memory_history EXECUTE FUNCTION refuse();
    CREATE TRIGGER full_disk BEFORE INSERT ON offers EXECUTE FUNCTION refuse()
"""
"""What the server answers when it cannot make a file longer, from the same place."""


def ways(url: str) -> dict[str, tuple[str, str, str]]:
    database = url.rpartition("/")[2]
    read_only = f"ALTER DATABASE {database} SET default_transaction_read_only"
    mend = "DROP TRIGGER full_disk ON memory_history; DROP TRIGGER full_disk ON offers"
    return {
        "read only": (f"{read_only} = on", f"SET transaction_read_only = off; {read_only} = off",
                      "only reads"),
        "disk full": (FULL.format(code="53100"), mend, "disk is full"),
        "disk broken": (FULL.format(code="58030"), mend, "disk has errors"),
    }  # fmt: skip


@pytest.mark.parametrize("how", ["read only", "disk full", "disk broken"])
async def test_refused_writes(url, how):
    """Reading goes on, the reason and what mends it are told, and no restart is needed after it."""
    break_it, mend_it, reason = ways(url)[how]
    scripts = await open_postgres(url, max_connections=1)
    history = SqlHistory(scripts)
    kept, refused = record("m", EventKind.ADD), record("m", EventKind.UPDATE)
    await history.append([kept])
    await scripts.ping()
    await run_as_admin(url, break_it)
    if how == "read only":
        # A setting counts for sessions that begin after it.
        await scripts.database._pool.expire_connections()
    with pytest.raises(StateUnwritableError, match=reason) as raised:
        await history.append([refused])
    assert "by itself" in raised.value.advice
    assert await history.of("local", "m") == [kept]
    for _ in range(2):
        with pytest.raises(StateUnwritableError, match=reason):
            await scripts.ping()
    assert scripts.refused == 1
    await run_as_admin(url, mend_it)
    await scripts.ping()
    await history.append([refused])
    assert await history.of("local", "m") == [kept, refused]
    await history.scripts.close()


async def test_a_new_database_that_only_reads(url):
    """Its tables cannot be made yet: that is waited for, as for a server that is away."""
    break_it, mend_it, reason = ways(url)["read only"]
    await run_as_admin(url, break_it)
    history = SqlHistory(await open_postgres(url))
    with pytest.raises(StateUnwritableError, match=reason):
        await history.append([record("m", EventKind.ADD)])
    await run_as_admin(url, mend_it)
    await history.append([record("m", EventKind.ADD)])
    assert len(await history.of("local", "m")) == 1
    await history.scripts.close()
