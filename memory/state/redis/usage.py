"""How often memories were used, in a hash per tenant.

The recalled memories of a turn are noted in one set for all tenants, in the same pipeline as the
turn and before it (`RedisConversations.record`), and taken from there after they are counted. What
was counted is remembered by occasion for twice as long as learned turns are kept, which is as long
as a turn is known by its id.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from ...model.conversations import used_in
from ...model.times import from_ms, to_ms
from ...model.types import Turn
from ...model.usage import Usage, UseKind
from .keys import Keys
from .wire import Script, ScriptRun, Wire, in_parts

_LAST = "last"
_FIELDS = (*(use.value for use in UseKind), _LAST)
_AT_ONCE = 500
_REMEMBERED = 2

_COUNT = Script("""
local usage, tombs, counted = KEYS[1], KEYS[2], KEYS[3]
local use, at, ttl_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
for n = 4, #ARGV do
    local id = ARGV[n]
    if redis.call('SISMEMBER', tombs, id) == 0
            and redis.call('SADD', counted, use .. ' ' .. id) == 1 then
        redis.call('HINCRBY', usage, use .. ' ' .. id, 1)
        if use == 'recalled' then
            local last = tonumber(redis.call('HGET', usage, 'last ' .. id) or 0)
            if at > last then redis.call('HSET', usage, 'last ' .. id, ARGV[2]) end
        end
    end
end
redis.call('PEXPIRE', counted, ttl_ms)
return 1
""")
"""(use, at ms, ttl ms, memory ids)"""

_ERASE = Script("""
local usage, count = KEYS[1], 0
local names = {'recalled', 'confirmed', 'corrected', 'positive', 'negative', 'last'}
for _, id in ipairs(ARGV) do
    local removed = 0
    for _, name in ipairs(names) do
        removed = removed + redis.call('HDEL', usage, name .. ' ' .. id)
    end
    if removed > 0 then count = count + 1 end
end
return count
""")
"""(memory ids) -> of how many there were counters."""


class RedisUsage:
    """`UsageCounters` shared by all processes. A resent command is counted once."""

    def __init__(self, wire: Wire, keys: Keys, *, turn_ttl: timedelta) -> None:
        self._wire = wire
        self._keys = keys
        self._ttl_ms = _REMEMBERED * max(1, turn_ttl // timedelta(milliseconds=1))

    async def count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], *, occasion: str, at: datetime
    ) -> None:
        await self._count(tenant, use, memory_ids, occasion, to_ms(at))

    async def settle(self, *, limit: int = 100) -> int:
        noted = await self._wire.send(("SRANDMEMBER", self._keys.uncounted, limit))
        for note in noted:
            tenant, turn_id, at, ids = json.loads(note)
            await self._count(tenant, UseKind.RECALLED, ids, turn_id, at)
            await self._wire.send(("SREM", self._keys.uncounted, note))
        return len(noted)

    async def of(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Usage]:
        usage, ids = self._keys.usage(tenant), list(dict.fromkeys(memory_ids))
        answers = await self._wire.send_all(
            [
                ("HMGET", usage, *(f"{name} {each}" for each in part for name in _FIELDS))
                for part in in_parts(ids, _AT_ONCE)
            ]
        )
        values = [value for answer in answers for value in answer]
        wide = len(_FIELDS)
        found = {each: values[at * wide : (at + 1) * wide] for at, each in enumerate(ids)}
        return {each: _usage(row) for each, row in found.items() if any(row)}

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        keys = (self._keys.usage(tenant),)
        answers = await self._wire.send_all(
            [ScriptRun(_ERASE, keys, part) for part in in_parts(memory_ids, _AT_ONCE)]
        )
        return sum(answers)

    async def reset(self, tenant: str) -> None:
        await self._wire.send(("UNLINK", self._keys.usage(tenant)))

    async def prune(self, *, before: datetime) -> None:
        """Nothing to do: occasions expire by themselves."""

    async def _count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], occasion: str, at: int
    ) -> None:
        keys = (
            self._keys.usage(tenant),
            self._keys.tombs(tenant),
            self._keys.occasion(tenant, occasion),
        )
        for part in in_parts(memory_ids, _AT_ONCE):
            await self._wire.run(_COUNT, keys, use.value, at, self._ttl_ms, *part)


def note_of(turn: Turn) -> str:
    """The memories used in a turn, as they are kept until they are counted."""
    return json.dumps([turn.scope.tenant, turn.id, to_ms(turn.created_at), sorted(used_in(turn))])


def _usage(row: Sequence[str | None]) -> Usage:
    found = {name: int(value or 0) for name, value in zip(_FIELDS, row, strict=True)}
    last = found.pop(_LAST)
    return Usage(last_recalled=from_ms(last) if last else None, **found)
