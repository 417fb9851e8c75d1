"""Writes rows: replaces rows with the same id, and flushes in time."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from ...model.errors import StoreError, StoreGoneError, StoreUnwritableError
from ..shared.rows import Row
from . import expr
from .connection import Connection
from .dialect import Abilities
from .reader import CollectionReader
from .schema import lite_partition

log = logging.getLogger(__name__)

T = TypeVar("T")

_WRITE_ROWS = 48
"""Rows of one write: pymilvus encodes them on the event loop, about 0.1 ms each."""
_GROUP_ROWS = 480
"""Embedded: rows that are looked up together. A write and a look-up each cost some milliseconds for
every partition that they touch, however few rows they are about."""
FLUSH_EVERY_ROWS = 64
"""Embedded: a segment is written after so many rows; every row outside of one makes searches
slower."""
_BULK_ROWS = 4 * _GROUP_ROWS
"""Embedded: rows of groups that are flushed together, for the same reason."""
IDS = 500
"""Maximum ids of one expression."""


class Writer:
    """Writes to one collection, one call at a time: on some servers a replacement has two steps."""

    def __init__(
        self,
        connection: Connection,
        reader: CollectionReader,
        dialect: Abilities,
    ) -> None:
        self._connection = connection
        self._reader = reader
        self._dialect = dialect
        self.flush_every = FLUSH_EVERY_ROWS
        self.unflushed = 0
        self.alone = True
        """Whether no other process writes to an embedded collection: none knows our deletions."""
        self._tombstones: set[str] = set()
        """Embedded only: ids deleted since the last flush."""
        self._writing = asyncio.Lock()
        self._refusal: StoreUnwritableError | None = None
        """Why the disk took the last write not, until it takes one."""

    def check_writable(self) -> None:
        """Raises StoreUnwritableError while the disk of an embedded store refuses writes.

        That is a StoreGoneError while its files are not where they were opened.
        """
        self._check_there()
        if self._refusal is not None:
            raise StoreUnwritableError(str(self._refusal))

    async def put(self, rows: Iterable[Row]) -> None:
        """Insert or replace rows with distinct ids. Raises StoreError."""
        for batch in chunks(rows, _GROUP_ROWS if self._dialect.embedded else _WRITE_ROWS):
            async with self._writing:
                with self._watched():
                    await self._write(batch)
                self.unflushed += len(batch)
                await self._flush_if_due(len(batch))

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove the tenant's rows with these ids. Raises StoreError."""
        async with self._writing:
            for some in chunks(dict.fromkeys(ids), IDS):
                with self._watched():
                    await self._connection.delete(expr.by_ids(tenant, some))
                self._tombstones.update(some if self._dialect.embedded else ())
            if not self.alone:
                await self._flush_deletions()

    async def _flush_deletions(self) -> None:
        """Before another process may insert one of these ids again; see `_write_partitions`."""
        if self._tombstones:
            await self._flush()

    async def reset(self, tenant: str) -> None:
        """Remove all rows of the tenant. Raises StoreError."""
        async with self._writing:
            with self._watched():
                await self._connection.delete(expr.of_tenant(tenant))
            if self._dialect.embedded:
                await self._flush()

    async def flush(self) -> None:
        """Embedded: write the remaining rows to a segment. Raises StoreError."""
        if self._dialect.embedded and (
            self.unflushed or self._tombstones or self._refusal or self._connection.endpoint.look()
        ):
            async with self._writing:
                await self._flush()

    async def _write(self, rows: list[Row]) -> None:
        if self._dialect.embedded:
            await self._write_partitions(rows)
        elif self._dialect.upserts:
            await self._connection.call("upsert", data=rows)
        else:
            await self._connection.delete(expr.with_ids(row["id"] for row in rows))
            await self._connection.call("insert", data=rows)

    async def _write_partitions(self, rows: list[Row]) -> None:
        """Milvus Lite replaces a row with the same id only within its partition."""
        targets = {row["id"]: lite_partition(row["partition"]) for row in rows}
        known = await self._reader.columns(expr.with_ids(targets), ["id", "partition"])
        moved = [
            row["id"]
            for row in known.rows()
            if lite_partition(row["partition"]) != targets[row["id"]]
        ]
        if moved:
            await self._connection.delete(expr.with_ids(moved))
            self._tombstones.update(moved)
        if not self._tombstones.isdisjoint(targets):
            # Inserting an id again cancels its unflushed deletion, and the row it hid in another
            # partition reappears.
            await self._flush()
        by_partition: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_partition[targets[row["id"]]].append(row)
        for name, of_it in by_partition.items():
            for some in chunks(of_it, _WRITE_ROWS):
                await self._connection.insert(some, name)

    async def _flush_if_due(self, written: int) -> None:
        most = self.flush_every if written < _GROUP_ROWS else max(self.flush_every, _BULK_ROWS)
        if not self._dialect.embedded or self.unflushed < most:
            return
        try:
            await self._flush()
        except StoreError as error:
            # The rows are already in the log: searches are slower, nothing is lost.
            log.warning("flush postponed: %s", error)

    async def _flush(self) -> None:
        rows, self.unflushed = self.unflushed, 0
        tombstones, self._tombstones = self._tombstones, set()
        try:
            with self._watched():
                await self._connection.call("flush")
        except (StoreError, asyncio.CancelledError):
            self.unflushed += rows
            self._tombstones |= tombstones
            raise

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Remember that the disk refused a write until it accepts one."""
        # A log that is gone alone does not prevent a flush, which makes another.
        self._check_there(log_too=False)
        try:
            yield
        except StoreUnwritableError as refusal:
            if self._refusal is None:
                log.error("the disk refuses writes; nothing acknowledged is lost: %s", refusal)  # noqa: TRY400 - no stack helps
            self._refusal = refusal
            raise
        # Rows that were written since it went away may be in files that are lost.
        self._check_there()
        if self._refusal is not None:
            log.warning("the disk accepts writes again")
            self._refusal = None

    def _check_there(self, *, log_too: bool = True) -> None:
        if gone := self._connection.endpoint.look(log_too=log_too):
            raise StoreGoneError(f"the memories are not where they were opened: {gone}")


def chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of at most `size`."""
    remaining = iter(values)
    while chunk := list(itertools.islice(remaining, size)):
        yield chunk
