"""Locks on memories between processes on several machines, as rows that expire.

A process that was paused for longer than a lock lives may have lost it to another one, which
`Confirm` notices right before the write. Moments are the database's.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

from ..database.rows import digest
from ..database.scripts import Script, ScriptRunner, SqlStatement
from ..database.sharing import now_ms
from ..model.errors import ConflictError, StateError
from ..model.ports import Confirm
from .local_locks import LocalLocks

HELD_SECONDS = 60.0
"""Lifetime of a lock since it was taken or confirmed: a process that died blocks no memory."""
WAIT_SECONDS = 30.0
"""Longest wait for others."""
PAUSES = (0.01, 0.02, 0.05, 0.1)
"""Seconds between attempts; the last one repeats."""
_TAKE = """
    INSERT INTO memory_locks SELECT value, :holder, :until FROM :names[] WHERE true
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE memory_locks.holder = excluded.holder OR memory_locks.until <= :now
    RETURNING name
"""
_CONFIRM = """
    UPDATE memory_locks SET until = :until WHERE name IN :names[] AND holder = :holder
    RETURNING name
"""
_RELEASE = "DELETE FROM memory_locks WHERE name IN :names[] AND holder = :holder"


class _TakenError(Exception):
    """Others hold some: nothing is taken."""


class SqlLocks:
    """`MemoryLocks` between processes. Within a process it is first come, first served."""

    def __init__(
        self,
        scripts: ScriptRunner,
        *,
        held_seconds: float = HELD_SECONDS,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._scripts = scripts
        self._local = LocalLocks()
        self._held_ms = round(1000 * held_seconds)
        self._wait_seconds = wait_seconds

    @asynccontextmanager
    async def hold(self, tenant: str, memory_ids: Collection[str]) -> AsyncIterator[Confirm]:
        # In one order, so that nobody waits in a circle.
        names = sorted({digest(f"{len(tenant)} {tenant} {memory_id}") for memory_id in memory_ids})
        holder = uuid.uuid4().hex

        async def confirm() -> None:
            if not await self._take(_CONFIRM, names, holder):
                raise ConflictError("the memory is being changed by another process")

        async with self._local.hold("", names):
            try:
                await self._wait_for(names, holder)
                yield confirm
            finally:
                with contextlib.suppress(StateError):  # they expire
                    await self._scripts.statement(_RELEASE, {"names": names, "holder": holder})

    async def _wait_for(self, names: Sequence[str], holder: str) -> None:
        until, tried = time.monotonic() + self._wait_seconds, 0
        while not await self._take(_TAKE, names, holder):
            if time.monotonic() > until:
                raise ConflictError("the memory is being changed by another process")
            await asyncio.sleep(PAUSES[min(tried, len(PAUSES) - 1)])
            tried += 1

    async def _take(self, sql: str, names: Sequence[str], holder: str) -> bool:
        """All or none."""
        now = await now_ms(self._scripts)
        values = {"names": names, "holder": holder, "now": now, "until": now + self._held_ms}

        def script() -> Script[None]:
            if len((yield SqlStatement(sql, values))) < len(names):
                raise _TakenError

        try:
            await self._scripts.change(script, tenants=())
        except _TakenError:
            return False
        return True
