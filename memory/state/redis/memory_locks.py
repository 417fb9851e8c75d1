"""Locks on memories between processes, as keys that expire.

A lock is a key with its holder's token. It expires after `HELD_SECONDS`, so that a process that
died does not block a memory for ever. A process that was paused for longer may have lost its lock
to another one, which `Confirm` notices right before the write.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

from ...model.errors import ConflictError, StateError
from ...model.ports import Confirm
from ..local_locks import LocalLocks
from .keys import Keys
from .wire import Script, Wire, in_parts

HELD_SECONDS = 60.0
"""Lifetime of a lock since it was taken or confirmed."""
WAIT_SECONDS = 30.0
"""Longest wait for others."""
PAUSES = (0.01, 0.02, 0.05, 0.1)
"""Seconds between attempts; the last one repeats."""
_CHUNK = 1000
"""Keys of one script run."""

# All or none; taking a lock again that one holds extends it, so a resent call changes nothing.
_TAKE = Script("""
for _, key in ipairs(KEYS) do
    local holder = redis.call('GET', key)
    if (holder and holder ~= ARGV[1]) or (ARGV[3] == '1' and not holder) then return 0 end
end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
return 1
""")
"""(token, ms, whether they must be held already) -> 1 if they are held."""
_RELEASE = Script("""
for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 1
""")


class RedisLocks:
    """`MemoryLocks` shared by all processes. Within a process it is first come, first served."""

    def __init__(
        self,
        wire: Wire,
        keys: Keys,
        *,
        held_seconds: float = HELD_SECONDS,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._wire = wire
        self._keys = keys
        self._local = LocalLocks()
        self._held_ms = int(held_seconds * 1000)
        self._wait_seconds = wait_seconds

    @asynccontextmanager
    async def hold(self, tenant: str, memory_ids: Collection[str]) -> AsyncIterator[Confirm]:
        names = [self._keys.lock(tenant, memory_id) for memory_id in sorted(set(memory_ids))]
        # Everybody takes them in the same order, so that nobody waits in a circle.
        parts = in_parts(names, _CHUNK)
        token = uuid.uuid4().hex

        async def confirm() -> None:
            for part in parts:
                if not await self._take(part, token, again=True):
                    raise ConflictError("the memory is being changed by another process")

        async with self._local.hold(tenant, memory_ids):
            try:
                for part in parts:
                    await self._wait_for(part, token)
                yield confirm
            finally:
                for part in parts:
                    with contextlib.suppress(StateError):  # they expire
                        await self._wire.run(_RELEASE, part, token)

    async def _wait_for(self, names: Sequence[str], token: str) -> None:
        until, tried = time.monotonic() + self._wait_seconds, 0
        while not await self._take(names, token, again=False):
            if time.monotonic() > until:
                raise ConflictError("the memory is being changed by another process")
            await asyncio.sleep(PAUSES[min(tried, len(PAUSES) - 1)])
            tried += 1

    async def _take(self, names: Sequence[str], token: str, *, again: bool) -> bool:
        return bool(await self._wire.run(_TAKE, names, token, self._held_ms, int(again)))
