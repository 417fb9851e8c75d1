"""Runs of upkeep in Redis: a hash of all of a tenant, and sets by time."""

from __future__ import annotations

from datetime import datetime

from ...database.runs import read_run, written_run
from ...model.jobs import JobKind
from ...model.owner import covers, owning_tenant
from ...model.times import to_ms
from ...model.types import OwnerRef, Scope
from ...model.upkeep import KEEP_RUNS_DAYS, UpkeepRun
from .keys import Keys, ids_key, widest
from .wire import Script, ScriptRun, Wire

_KEEP = Script("""
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[5])) do
    redis.call('HDEL', KEYS[1], old)
    redis.call('ZREM', KEYS[2], old)
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[5])
""")
_REMOVE = Script("""
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
""")
_DAY_MS = 86_400_000
_AT_ONCE = 200


class RedisRuns:
    """`UpkeepRuns` shared by all processes. What is old is removed with the next run of a user."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def keep(self, run: UpkeepRun) -> None:
        at = to_ms(run.at)
        seconds = KEEP_RUNS_DAYS * _DAY_MS // 1000
        oldest = at - KEEP_RUNS_DAYS * _DAY_MS
        args = (run.id, written_run(run), at, seconds, oldest)
        await self._wire.run(_KEEP, self._of(run.scope), *args)

    async def get(self, tenant: str, run_id: str) -> UpkeepRun | None:
        found = await self._wire.send(("HGET", self._keys.runs(tenant), run_id))
        return None if found is None else read_run(found)

    async def newest(
        self, owner_ref: OwnerRef, *, kind: JobKind | None = None, limit: int, offset: int = 0
    ) -> list[UpkeepRun]:
        found: list[UpkeepRun] = []
        start = 0
        while len(found) < offset + limit:
            page = await self._page(owner_ref, start)
            if not page:
                break
            start += _AT_ONCE
            found += [
                run for run in page if covers(owner_ref, run.scope) and kind in {None, run.kind}
            ]
        return found[offset : offset + limit]

    async def erase(self, owner_ref: OwnerRef) -> int:
        gone: list[UpkeepRun] = []
        start = 0
        while page := await self._page(owner_ref, start):
            start += _AT_ONCE
            gone += [run for run in page if covers(owner_ref, run.scope)]
        runs = [ScriptRun(_REMOVE, self._of(run.scope), (run.id,)) for run in gone]
        return sum(map(int, await self._wire.send_all(runs))) if runs else 0

    async def prune(self, *, before: datetime) -> int:
        """Nothing: keys expire, and each run that is kept removes its user's old ones."""
        del before
        return 0

    async def _page(self, owner_ref: OwnerRef, start: int) -> list[UpkeepRun]:
        tenant = owning_tenant(owner_ref)
        by_time = self._of(owner_ref)[2] if isinstance(owner_ref, Scope) else self._all(tenant)
        ids = await self._wire.send(("ZREVRANGE", by_time, start, start + _AT_ONCE - 1))
        if not ids:
            return []
        found = await self._wire.send(("HMGET", self._keys.runs(tenant), *ids))
        return [read_run(text) for text in found if text]

    def _all(self, tenant: str) -> str:
        return self._keys.runs_by_time(tenant, "")

    def _of(self, scope: Scope) -> tuple[str, str, str]:
        """The runs of the tenant, all by time, and those of the user by time."""
        own = self._keys.runs_by_time(scope.tenant, ids_key(widest(scope)))
        return self._keys.runs(scope.tenant), self._all(scope.tenant), own
