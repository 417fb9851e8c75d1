"""A bounded pool of connections to PostgreSQL that survives restarts of the server."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import asyncpg  # type: ignore[import-untyped]

from ...model.errors import StateError, StateUnwritableError
from ..options import without_password
from ..writes import Writes
from .tables import make

log = logging.getLogger(__name__)

T = TypeVar("T")

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.InterfaceError,
    # asyncpg raises this if the server closes the connection while a statement is prepared.
    asyncpg.InternalClientError,
    ConnectionError,
)
"""The connection is lost, or the server starts or stops: another connection may work."""
_FOREIGN = (*_LOST, asyncpg.PostgresError, OSError, TimeoutError)
_REFUSALS: dict[type[Exception], tuple[str, str]] = {
    asyncpg.ReadOnlySQLTransactionError: (
        "it only reads (a standby, or default_transaction_read_only)",
        "see that database.url leads to a PostgreSQL that takes writes: it goes on by itself",
    ),
    asyncpg.DiskFullError: (
        "its disk is full",
        "make room on the disk of PostgreSQL: it goes on by itself",
    ),
    asyncpg.PostgresIOError: (
        "its disk has errors",
        "see the log of PostgreSQL and its disk: it goes on by itself",
    ),
}
"""Errors of a server that can be read but not written: the reason and the remedy."""
_ABSENT = (
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    OSError,
    TimeoutError,
    *_REFUSALS,
)
"""The server may be reachable later, or accept writes later."""
ADVICE = (
    "PostgreSQL cannot be used: check that it runs, database.url, and the network; "
    "it is tried again by itself"
)
_IN_THE_WAY = (asyncpg.DeadlockDetectedError, asyncpg.UniqueViolationError)
"""Others were at the same time at the same records: the next free number is another one then."""
TRIES = 8
CLOSE_SECONDS = 5.0
"""How long closing the pool waits for running statements."""


class Database:
    """Runs statements, each on its own connection. Use `Database.open`."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        url: str,
        timeout_seconds: float,
        *,
        tables: bool,
        is_sealed: bool = False,
    ) -> None:
        self._pool = pool
        self._url = url
        self._timeout = timeout_seconds
        self._shown = without_password(url)
        self._password = unquote(urlsplit(url).password or "")
        self._making = asyncio.Lock()
        self._made = not tables
        self._is_sealed = is_sealed
        self.writes = Writes()

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        max_connections: int,
        timeout_seconds: float,
        tables: bool = True,
        settings: Mapping[str, str] | None = None,
        is_sealed: bool = False,
    ) -> Database:
        """Create the pool, and the tables if the server is reachable; else at the first use.

        Without `tables` the caller makes those it needs. `settings` are more settings of the server
        for these connections.

        Raises:
            StateError: the address is malformed, or the server refuses us.
            FormatError: its tables are of another format.
        """
        pool = asyncpg.create_pool(
            url,
            min_size=0,
            max_size=max_connections,
            timeout=timeout_seconds,
            # This limit cancels on our side; the server's own also ends statements of dead clients.
            command_timeout=timeout_seconds,
            server_settings={
                "application_name": "recollect",
                "statement_timeout": str(int(timeout_seconds * 1000)),
                **(settings or {}),
            },
        )
        database = cls(await pool, url, timeout_seconds, tables=tables, is_sealed=is_sealed)
        try:
            await database._open()
        except BaseException:
            await database.close()
            raise
        return database

    async def fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        """Run one statement in its own transaction and return its rows after the commit.

        If the connection breaks the statement is sent again, so it must be safe to run twice.

        Raises:
            StateError: PostgreSQL refused, was not reached, or took too long.
        """
        return await self._surely(lambda: self._fetch(sql, *values))

    async def transact(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run `work` on a connection in one transaction and return its result after the commit.

        If the connection breaks it runs again, so it must be safe to run twice.

        Raises:
            StateError: PostgreSQL refused, was not reached, or took too long.
        """
        return await self._surely(lambda: self._transact(work))

    async def snapshot(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """The same for `work` that changes nothing: all of it sees one moment."""
        return await self._surely(
            lambda: self._transact(work, isolation="repeatable_read", readonly=True)
        )

    async def connected(self) -> asyncpg.Connection:
        """A connection beside the pool, which the caller closes. Raises StateError."""
        with self.answering():
            return await asyncpg.connect(
                self._url, timeout=self._timeout, command_timeout=self._timeout
            )

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Raise a StateError for what is wrong with the server."""
        try:
            yield
        except _FOREIGN as error:
            raise self._translated(error) from error

    async def ping(self, probe: str) -> None:
        """Return if the server answers. After a refused write, `probe` tests whether writes work.

        `probe` is a statement that writes; it is rolled back.

        Raises:
            StateUnwritableError: writes are still refused.
            StateError: the server does not answer.
        """
        if self.writes.why is None:
            await self.fetch("SELECT 1")
            return
        with self.writes.probing():
            try:
                async with self._pool.acquire(timeout=self._timeout) as connection:
                    await _attempt(connection, probe)
            except _FOREIGN as error:
                raise await self._failed(error) from error

    async def close(self) -> None:
        """Give running statements `CLOSE_SECONDS` to finish, then drop all connections."""
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_SECONDS)
        except _FOREIGN:
            self._pool.terminate()
        except asyncio.CancelledError:
            self._pool.terminate()
            raise

    async def _open(self) -> None:
        try:
            await self._make_tables()
        except _ABSENT as error:
            log.warning("%s; retrying when it is used", self._translated(error))
        except ValueError as error:
            # The message may repeat a part of the address, including the password.
            told = f"the address {self._shown} cannot be read ({type(error).__name__})"
            raise StateError(f"database.url: {told}") from None
        except _FOREIGN as error:
            raise self._translated(error) from error

    async def _fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        if not self._made:
            await self._make_tables()
        async with self._pool.acquire(timeout=self._timeout) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(sql, *values)
            return rows

    async def _transact(self, work: Callable[[Any], Awaitable[T]], **how: Any) -> T:
        if not self._made:
            await self._make_tables()
        async with (
            self._pool.acquire(timeout=self._timeout) as connection,
            connection.transaction(**how),
        ):
            return await work(connection)

    async def _surely(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call it, once more if the connection is lost, and some times if others are in its way."""
        try:
            try:
                return await call()
            except _LOST:
                # After a restart of the server every connection of the pool is dead.
                await self._pool.expire_connections()
                return await call()
            except _IN_THE_WAY:
                return await self._again(call)
        except _FOREIGN as error:
            raise await self._failed(error) from error

    async def _again(self, call: Callable[[], Awaitable[T]]) -> T:
        """Retry: another replica was faster, or writes the same records in another order."""
        for attempt in range(TRIES):
            try:
                return await call()
            except _IN_THE_WAY:
                await asyncio.sleep(random.uniform(0, 0.1 * (attempt + 1)))  # noqa: S311 - apart
        return await call()

    async def _make_tables(self) -> None:
        async with self._making:
            if not self._made:
                async with self._pool.acquire(timeout=self._timeout) as connection:
                    shown = f"the database {self._shown}"
                    await make(connection, shown, is_sealed=self._is_sealed)
                self._made = True

    async def _failed(self, error: Exception) -> StateError:
        if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
            # New connections look up the primary and the setting again.
            await self._pool.expire_connections()
        return self._translated(error)

    def _translated(self, error: Exception) -> StateError:
        # Only the server's message: its details quote rows, and messages about values quote them.
        told = None
        if isinstance(error, OSError):
            told = error.strerror
        elif isinstance(error, asyncpg.PostgresError) and not isinstance(error, asyncpg.DataError):
            told = error.message
        text = f"{type(error).__name__}: {told}" if told else type(error).__name__
        if self._password:
            text = text.replace(self._password, "***")
        for kind, (reason, advice) in _REFUSALS.items():
            if isinstance(error, kind):
                refusal = StateUnwritableError(
                    f"PostgreSQL at {self._shown} takes no writes: {reason}; {advice}", advice
                )
                self.writes.refuse(refusal)
                return refusal
        return StateError(f"PostgreSQL at {self._shown} failed: {text}", ADVICE)


async def _attempt(connection: Any, probe: str) -> None:
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(probe)
    finally:
        await transaction.rollback()
