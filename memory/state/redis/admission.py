"""Token buckets of tenants, for all processes."""

from __future__ import annotations

from ...model.admission import Taken
from .keys import Keys
from .wire import Script, Wire

# The same steps as `refilled`, `take` and `take_share` of proxy/access/buckets.py; a test compares
# them. The moment is the server's, unless a test gives one.
_TAKE = Script("""
local burst, pace = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if now < 0 then
    local time = redis.call('TIME')
    now = tonumber(time[1]) + tonumber(time[2]) / 1e6
end
local rounding, emptied = 1e-6, 50
local left, drained = burst, 0
local known = redis.call('HMGET', KEYS[1], 'left', 'at', 'drained')
if known[1] then
    local before, at = tonumber(known[1]), tonumber(known[2])
    left = math.min(burst, before + math.max(now - at, 0) * pace)
    local faded = 0
    if burst - before > 0 then
        faded = emptied
        if burst - left > 0 then
            faded = math.min(math.log((burst - before) / (burst - left)), emptied)
        end
    end
    drained = tonumber(known[3]) + faded
end
local used, allowed = 0, false
local keep = math.ceil(burst / pace * 2) + 60
if KEYS[2] then
    if known[1] then
        local share = redis.call('HMGET', KEYS[2], 'used', 'drained')
        local since = share[1] and tonumber(share[2]) or 0
        if share[1] and drained - since >= 0 then
            used = tonumber(share[1]) * math.exp(since - drained)
        end
    end
    allowed = used + 1 <= left + rounding
    if allowed then
        used, left = used + 1, math.max(left - 1, 0)
    end
    redis.call('HSET', KEYS[2], 'used', string.format('%.17g', used),
        'drained', string.format('%.17g', drained))
    redis.call('EXPIRE', KEYS[2], keep)
else
    allowed = left >= 1 - rounding
    if allowed then left = math.max(left - 1, 0) end
end
redis.call('HSET', KEYS[1], 'left', string.format('%.17g', left),
    'at', string.format('%.17g', now), 'drained', string.format('%.17g', drained))
redis.call('EXPIRE', KEYS[1], keep)
return {allowed and 1 or 0, string.format('%.17g', left), string.format('%.17g', used)}
""")

_OWN_CLOCK = -1


class RedisAdmission:
    """The `Admission` of all processes of a Redis."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def take(
        self,
        tenant: str,
        user: str | None,
        *,
        burst: int,
        per_second: float,
        now: float = _OWN_CLOCK,
    ) -> Taken:
        """`now` stands for the server's clock in tests, seconds."""
        keys = [self._keys.bucket(tenant)]
        if user is not None:
            keys.append(self._keys.bucket_share(tenant, user))
        allowed, left, used = await self._wire.run(_TAKE, keys, burst, repr(per_second), repr(now))
        return Taken(bool(int(allowed)), float(left), float(used))
