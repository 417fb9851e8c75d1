"""What is known of models, in a hash per tenant."""

from __future__ import annotations

from .keys import Keys
from .wire import Script, Wire

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
