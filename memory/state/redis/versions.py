"""Counters by which processes learn that another one has written to the store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from .keys import Keys
from .wire import Script, Wire

KEEP_SECONDS = 30 * 86_400
"""How long after the last write of a user the counter stays. Expiring is seen as a change."""

# A counter that expired or was lost must not come by a number that somebody remembers: it starts
# somewhere else each time.
_BUMP = Script("""
local counter = KEYS[1]
redis.call('SET', counter, ARGV[1], 'NX')
local count = redis.call('INCR', counter)
redis.call('EXPIRE', counter, ARGV[2])
return count
""")


class RedisVersions:
    """`Versions` shared by all processes.

    If an answer is lost a write may count twice, which costs others a look at the store.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        if not keys:
            return ()
        counters = await self._wire.send(("MGET", *map(self._keys.version, keys)))
        return tuple(int(counter or 0) for counter in counters)

    async def bump(self, key: str) -> int:
        # Lua's numbers are exact up to 2^53.
        start = secrets.randbits(50)
        counter = self._keys.version(key)
        return int(await self._wire.run(_BUMP, [counter], start, KEEP_SECONDS))
