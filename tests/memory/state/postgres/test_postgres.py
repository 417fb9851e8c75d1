"""History in a real PostgreSQL keeps the contract, through restarts, locks and refusals."""

import asyncio
import logging

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.database.postgres import open_postgres
from recollect.memory.database.postgres.database import Database
from recollect.memory.model.errors import FormatError, StateError
from recollect.memory.model.types import EventKind
from tests.memory.state.contract import GraphContract, HistoryContract, record
from tests.memory.state.contracts.graph_model import graph_steps
from tests.memory.state.contracts.graph_played import play
from tests.memory.state.samples import ANY_BACKEND
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.postgres_server import PASSWORD

WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""How many statements of this database wait for a table."""


async def opened(url: str, *, connections: int = 4, seconds: float = 10) -> SqlHistory:
    scripts = await open_postgres(url, max_connections=connections, timeout_seconds=seconds)
    return SqlHistory(scripts)


@pytest.fixture
async def history(url):
    history = await opened(url)
    yield history
    await history.scripts.close()


@pytest.fixture
async def graph(url):
    graph = SqlGraph(await open_postgres(url))
    yield graph
    await graph.scripts.close()


class TestHistory(HistoryContract):
    """The contract, on the real server."""


class TestGraph:
    """Of the contract what its statements may mean otherwise here: texts, patterns, order, races."""

    @settings(ANY_BACKEND, max_examples=examples(6))
    @given(steps=st.lists(graph_steps, max_size=25))
    async def test_any_sequence_as_in_the_model(self, graph, steps):
        """Every reader sees what a graph of a few lines shows."""
        await play(graph, steps)

    test_hostile_names = GraphContract.test_hostile_names
    test_patterns = GraphContract.test_signs_of_patterns_are_letters
    test_names = GraphContract.test_names_are_looked_up_by_their_keys
    test_half_a_character = GraphContract.test_half_a_character_is_kept_as_a_question_mark
    test_pages = GraphContract.test_the_most_spoken_of_first
    test_writers = GraphContract.test_writers_at_the_same_time
    test_thousands = GraphContract.test_an_entity_of_thousands_of_memories
    test_written = GraphContract.test_what_was_written_is_to_be_linked
    test_read = GraphContract.test_only_what_is_still_as_it_was_read_is_linked
    test_falls = GraphContract.test_links_fall_with_the_write
    test_disturbs = GraphContract.test_whom_it_disturbs
    test_one_at_a_time = GraphContract.test_one_at_a_time_links_all_of_an_owner
    test_newest = GraphContract.test_the_newest_that_was_linked


async def test_replicas_that_start_at_once_make_one_schema(url):
    """Several processes may find an empty database at the same moment."""
    replicas = await asyncio.gather(*(opened(url) for _ in range(6)))
    row = record("m", EventKind.ADD)
    await asyncio.gather(*(replica.append([row]) for replica in replicas))
    assert await replicas[0].of("local", "m") == [row]
    await asyncio.gather(*(replica.scripts.close() for replica in replicas))


async def test_concurrent_appends_of_the_same_records(url):
    """Replicas that repeat one batch in other orders add each record once and fail on none."""
    first, second = await asyncio.gather(opened(url), opened(url))
    rows = [record("m", EventKind.UPDATE) for _ in range(200)]
    results = await asyncio.gather(
        *(h.append(batch) for h in (first, second) for batch in (rows, rows[::-1], rows[100:])),
        return_exceptions=True,
    )
    assert results == [None] * 6
    assert {row.id for row in await first.of("local", "m")} == {row.id for row in rows}
    assert len(await second.of("local", "m")) == 200
    await asyncio.gather(first.scripts.close(), second.scripts.close())


async def test_closing_does_not_wait_for_ever(url, monkeypatch):
    """A statement that hangs is cut off, and its caller told."""
    monkeypatch.setattr("recollect.memory.database.postgres.database.CLOSE_SECONDS", 0.2)
    history = await opened(url)
    admin = await asyncpg.connect(url)
    async with admin.transaction():
        await admin.execute("LOCK TABLE memory_history")
        waiting = asyncio.ensure_future(history.append([record("m", EventKind.ADD)]))
        while not await admin.fetchval(WAITING):
            await asyncio.sleep(0.01)
        await history.scripts.close()
        with pytest.raises(StateError):
            await waiting
    await admin.close()


@rows("how", ["stop", "kill"])
async def test_it_goes_on_after_a_restart(own_postgres, own_url, how):
    """What was acknowledged is there, a call meanwhile is a StateError, the next one works."""
    history = await opened(own_url, seconds=5)
    told = [record(how, EventKind.UPDATE) for _ in range(20)]
    await asyncio.gather(*(history.append([row]) for row in told))
    meanwhile = record(how, EventKind.ADD)
    getattr(own_postgres, how)()
    refused = ""
    try:
        await history.append([meanwhile])
    except StateError as error:
        refused = str(error)
    finally:
        await asyncio.to_thread(own_postgres.start)
    after = record(how, EventKind.DELETE)
    await asyncio.gather(*(history.append([after]) for _ in range(8)))
    kept = await history.of("local", how)
    # A child of a killed server may live on for a statement: committed, acknowledged or not.
    assert "PostgreSQL at" in refused or how == "kill"
    assert refused or meanwhile.id in {row.id for row in kept}
    assert {row.id for row in kept} - {meanwhile.id} == {row.id for row in (*told, after)}
    assert kept[-1] == after
    await history.scripts.close()


@rows(
    "lost",
    [
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        asyncpg.AdminShutdownError("terminating connection due to administrator command"),
        asyncpg.InternalClientError("cannot switch to state 11"),
        ConnectionResetError(),
    ],
)
async def test_a_lost_connection_is_tried_once_more(url, monkeypatch, lost):
    """However a connection is lost, another one is taken, and no more than one."""
    history = await opened(url)
    database = history.scripts.database
    transact, calls, losses = database._transact, [0], [1]

    async def losing(work):
        calls[0] += 1
        if losses[0]:
            losses[0] -= 1
            raise lost
        return await transact(work)

    monkeypatch.setattr(database, "_transact", losing)
    row = record(type(lost).__name__, EventKind.ADD)
    await history.append([row])
    assert await history.of("local", row.memory_id) == [row]
    calls[0], losses[0] = 0, 9
    with pytest.raises(StateError):
        await history.append([row])
    assert calls[0] == 2
    await history.scripts.close()


async def test_a_statement_that_takes_too_long_is_ended(url):
    """A lock that nobody gives back costs a StateError, and the next call works."""
    history = await opened(url, connections=1, seconds=0.5)
    admin = await asyncpg.connect(url)
    async with admin.transaction():
        await admin.execute("LOCK TABLE memory_history")
        with pytest.raises(StateError):
            await history.append([record("m", EventKind.ADD)])
    row = record("m", EventKind.ADD)
    await history.append([row])
    assert await history.of("local", "m") == [row]
    await admin.close()
    await history.scripts.close()


async def test_a_server_that_comes_later(own_url, own_postgres, caplog):
    """Opening does not fail for a server that is away; tables are made when it is there."""
    away = own_url.replace(f":{own_postgres.port}/", f":{free_port()}/")
    with caplog.at_level(logging.WARNING):
        history = await opened(away)
    assert "retrying when it is used" in caplog.text
    assert PASSWORD not in caplog.text
    with pytest.raises(StateError):
        await history.of("local", "m")
    await history.scripts.close()

    own_postgres.stop()
    try:
        history = await opened(own_url)
    finally:
        await asyncio.to_thread(own_postgres.start)
    row = record("m", EventKind.ADD)
    await asyncio.gather(*(history.append([row]) for _ in range(5)))
    assert await history.of("local", "m") == [row]
    await history.scripts.close()


async def test_another_format_is_refused(url: str) -> None:
    """A database of another version is not touched: the error says what to do."""
    history = await opened(url)
    await history.scripts.close()
    admin = await asyncpg.connect(url)
    await admin.execute("UPDATE recollect_format SET format = 99")
    with pytest.raises(FormatError, match="format 99, and this version reads format 2"):
        await opened(url)
    assert await admin.fetchval("SELECT format FROM recollect_format") == 99
    await admin.execute("DROP TABLE recollect_format")  # as of an earlier commit
    with pytest.raises(FormatError, match="without a format number"):
        await opened(url)
    assert await admin.fetchval("SELECT to_regclass('recollect_format')") is None
    await admin.close()


async def test_tables_of_a_later_version_are_made(url):
    """A database of an earlier commit opens, by several replicas at once, and keeps what it has."""
    history = await opened(url)
    await history.append([record("m", EventKind.ADD)])
    await history.scripts.close()
    admin = await asyncpg.connect(url)
    await admin.execute("DROP TABLE deeds, deed_heads, deed_salts; DROP INDEX turns_unread")
    replicas = await asyncio.gather(*(opened(url) for _ in range(3)))
    there = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'deed%'"
    assert await admin.fetchval(there) == 3
    assert await admin.fetchval("SELECT to_regclass('turns_unread')") is not None
    assert len(await replicas[0].of("local", "m")) == 1
    await asyncio.gather(*(each.scripts.close() for each in replicas))
    await admin.close()


async def test_a_role_that_may_not_create_tables(url, postgres, caplog):
    """It reads and writes those that are there, also without an index; a table it cannot do without."""
    await (await opened(url)).scripts.close()
    role = f"clerk_{url[-8:]}"
    admin = await asyncpg.connect(url)
    await admin.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD 'pw';"
        f"GRANT SELECT, INSERT, DELETE ON memory_history TO {role};"
        f"GRANT SELECT ON recollect_format TO {role}"
    )
    clerk = f"postgresql://{role}:pw@{url.partition('@')[2]}"
    for index in ("SELECT 1", "DROP INDEX turns_unread"):
        await admin.execute(index)
        history = await opened(clerk)
        row = record("m", EventKind.ADD)
        await history.append([row])
        assert await history.erase("local", ["m"]) == 1
        await history.scripts.close()
        assert caplog.text.count("lacks the index turns_unread") == index.startswith("DROP")
    await admin.execute("DROP TABLE deed_salts")
    with pytest.raises(StateError, match=r"lacks the table deed_salts, .* with the role that owns"):
        await opened(clerk)
    assert await admin.fetchval("SELECT to_regclass('turns_unread')") is None
    await admin.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
    await admin.close()


@rows(
    "wrong",
    [
        "postgresql://recollect:hidden-pw@127.0.0.1:{port}/postgres",
        "postgresql://recollect:hidden-pw@127.0.0.1:{port}/none?sslmode=nonsense",
        "postgresql://recollect:hidden-pw@127.0.0.1:{port}/postgres?password=hidden-too",
        "postgresql://recollect:hidden/pw@127.0.0.1:{port}/postgres",
    ],
)
async def test_refusals_do_not_show_the_password(postgres, wrong):
    """A wrong password or address is a StateError that says where, not what was tried."""
    with pytest.raises(StateError) as raised:
        await opened(wrong.format(port=postgres.port))
    chain: list[BaseException] = [raised.value]
    while (cause := chain[-1].__cause__) is not None:
        chain.append(cause)
    assert not [error for error in chain if "hidden" in str(error)]


async def test_errors_do_not_quote_rows(url):
    """What a server says about an offending row is not passed on: it is somebody's memory."""
    database = await Database.open(url, max_connections=1, timeout_seconds=5)
    await database.fetch("CREATE TABLE t (x TEXT UNIQUE)")
    await database.fetch("INSERT INTO t VALUES ($1)", "private words")
    with pytest.raises(StateError) as raised:
        await database.fetch("INSERT INTO t VALUES ($1)", "private words")
    assert "private" not in str(raised.value)
    with pytest.raises(StateError) as raised:
        await database.fetch("INSERT INTO t VALUES ($1)", ["private words"])
    assert "private" not in str(raised.value)
    await database.close()
