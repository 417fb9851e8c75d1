"""What asking models cost, and what is known of models, in hashes per tenant."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, islice

from ...model.costs import LEARNING, total_of
from ...model.jobs import JobKind, Spent
from ...model.sums import KEEP_DAYS
from ...model.times import to_ms
from .keys import Keys
from .wire import Script, Wire

KEEP_SECONDS = KEEP_DAYS * 86_400
"""A day's total is kept for two months after its last change."""
REMEMBER_SECONDS = 600
"""How long a counted call is remembered: far longer than it can be resent."""

# Totals are read as text: Lua's numbers would round values beyond 2^53.
_SPEND = Script("""
local total, call = KEYS[1], KEYS[2]
if redis.call('SET', call, '1', 'NX', 'EX', ARGV[5]) then
    for at = 1, 3 do redis.call('HINCRBY', total, ARGV[at + 5], ARGV[at]) end
    redis.call('EXPIRE', total, ARGV[4])
end
return redis.call('HMGET', total, ARGV[6], ARGV[7], ARGV[8])
""")
# Callers' clocks differ. No hour is later than the server's, and an earlier one than was counted
# last is that one: else two callers in turn would each begin anew.
_CALL = Script("""
local kept, most, seconds = KEYS[1], tonumber(ARGV[2]), tonumber(redis.call('TIME')[1])
local latest = (seconds - seconds % 3600) * 1000
local before = math.min(tonumber(redis.call('HGET', kept, 'hour') or 0), latest)
local hour = math.max(math.min(tonumber(ARGV[1]), latest), before)
local count = before == hour and tonumber(redis.call('HGET', kept, 'calls')) or 0
if most >= 0 and count >= most then return nil end
redis.call('HSET', kept, 'hour', string.format('%.0f', hour), 'calls', count + 1)
redis.call('EXPIRE', kept, ARGV[3])
return count + 1
""")


class RedisLedger:
    """A `Ledger` shared by all processes.

    What is resent is spent once; a resent `call` may count twice, which costs one call of the hour.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def spend(
        self, tenant: str, day: date, spent: Spent, *, kind: JobKind = JobKind.LEARN
    ) -> Spent:
        keys = [self._keys.ledger(tenant, day), self._keys.spending(tenant, uuid.uuid4().hex)]
        amounts = (spent.calls, spent.prompt_tokens, spent.completion_tokens)
        told = (*amounts, KEEP_SECONDS, REMEMBER_SECONDS, *_fields(kind))
        return Spent(*map(_number, await self._wire.run(_SPEND, keys, *told)))

    async def spent(self, tenant: str, day: date, kinds: Collection[JobKind] = LEARNING) -> Spent:
        return total_of(_by_kind(await self._wire.send(self._asked(tenant, day))), kinds)

    async def between(
        self, tenant: str, first: date, last: date
    ) -> dict[date, dict[JobKind, Spent]]:
        days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
        found = await self._wire.send_all([self._asked(tenant, day) for day in days])
        costs = {day: _by_kind(amounts) for day, amounts in zip(days, found, strict=True)}
        return {day: each for day, each in costs.items() if each}

    def _asked(self, tenant: str, day: date) -> tuple[str, ...]:
        return ("HMGET", self._keys.ledger(tenant, day), *chain(*map(_fields, JobKind)))

    async def call(self, tenant: str, hour: datetime, *, most: int | None) -> int | None:
        kept, bound = self._keys.hour(tenant), -1 if most is None else most
        count = await self._wire.run(_CALL, [kept], to_ms(hour), bound, KEEP_SECONDS)
        return None if count is None else int(count)

    async def called(self, tenant: str, hour: datetime) -> int:
        kept, calls = await self._wire.send(("HMGET", self._keys.hour(tenant), "hour", "calls"))
        return int(calls) if kept == str(to_ms(hour)) else 0


def _fields(kind: JobKind) -> tuple[str, str, str]:
    """The names of a kind's amounts in the hash of a day; those of learning are the oldest."""
    own = "" if kind is JobKind.LEARN else f"{kind.value}:"
    return f"{own}calls", f"{own}prompt", f"{own}completion"


def _number(amount: str | None) -> int:
    return int(amount or 0)


def _by_kind(amounts: Sequence[str | None]) -> dict[JobKind, Spent]:
    """What `_asked` found, without the kinds that nothing was spent on."""
    numbers = iter(map(_number, amounts))
    costs = {kind: Spent(*islice(numbers, 3)) for kind in JobKind}
    return {kind: spent for kind, spent in costs.items() if spent != Spent()}


_CHANGE = Script("""
local there, model, known, before, after = KEYS[1], unpack(ARGV)
local is = redis.call('HGET', there, model)
if is == after then return 1 end
if known == '1' and is ~= before or known == '0' and is then return 0 end
redis.call('HSET', there, model, after)
return 1
""")


class RedisStandings:
    """`Standings` shared by all processes.

    Of several that change one to the same text at once each is told that it did: so a resent change
    is answered as at first, and texts that must differ say by whom they are.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def of(self, tenant: str) -> dict[str, str]:
        found = await self._wire.send(("HGETALL", self._keys.standings(tenant)))
        return dict(found)

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        told = (model, int(before is not None), before or "", after)
        return bool(await self._wire.run(_CHANGE, [self._keys.standings(tenant)], *told))
