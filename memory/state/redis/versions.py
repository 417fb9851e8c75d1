"""Counters that tell processes that another one has written to the store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from .keys import Keys
from .wire import Script, Wire

KEEP_SECONDS = 30 * 86_400
"""How long a counter is kept after a user's last write. Its expiry counts as a change."""

# A lost or expired counter starts at a random number, so that it cannot repeat a number that
# another process remembers.
_BUMP = Script("""
local counter = KEYS[1]
redis.call('SET', counter, ARGV[1], 'NX')
local count = redis.call('INCR', counter)
redis.call('EXPIRE', counter, ARGV[2])
return count
""")


class RedisVersions:
    """`Versions` shared by all processes.

    A write may count twice if an answer is lost; other processes then check the store once more.
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
        # Below 2^50, because Lua's numbers are exact up to 2^53.
        start = secrets.randbits(50)
        counter = self._keys.version(key)
        return int(await self._wire.run(_BUMP, [counter], start, KEEP_SECONDS))
