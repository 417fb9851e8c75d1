"""Daily sums in Redis: one hash per tenant and day."""

from __future__ import annotations

from datetime import date, timedelta

from ...model.sums import KEEP_DAYS, Amounts, Summed
from .keys import Keys
from .wire import Script, Wire

REMEMBER_SECONDS = 3600
"""How long a batch is known: it may be resent after an outage."""

_ADD = Script("""
local sums, batch = KEYS[1], KEYS[2]
if redis.call('SET', batch, '1', 'NX', 'EX', ARGV[2]) then
    for at = 3, #ARGV, 2 do redis.call('HINCRBY', sums, ARGV[at], ARGV[at + 1]) end
    redis.call('EXPIRE', sums, ARGV[1])
end
""")


class RedisDailySums:
    """`DailySums` shared by all processes; each day is kept for `KEEP_DAYS`."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def add(self, tenant: str, day: date, amounts: Amounts, *, batch: str) -> None:
        keys = [self._keys.sums(tenant, day), self._keys.summed(tenant, day, batch)]
        pairs = [value for each in amounts.items() for value in each]
        await self._wire.run(_ADD, keys, KEEP_DAYS * 86_400, REMEMBER_SECONDS, *pairs)

    async def between(self, tenant: str, first: date, last: date) -> dict[date, dict[Summed, int]]:
        days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
        asked = [("HMGET", self._keys.sums(tenant, day), *Summed) for day in days]
        found = await self._wire.send_all(asked)
        return {
            day: {each: int(n or 0) for each, n in zip(Summed, amounts, strict=True)}
            for day, amounts in zip(days, found, strict=True)
            if any(amounts)
        }
