"""What waits for an answer, in a key each that expires."""

from __future__ import annotations

from datetime import datetime

from ...model.times import to_ms
from .keys import Keys
from .wire import Wire


class RedisOffers:
    """`Offers` shared by all processes.

    A `take` whose answer was lost is sent again and finds nothing: then the user is asked again.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def put(
        self, tenant: str, name: str, text: str, *, now: datetime, until: datetime
    ) -> None:
        left = max(1, to_ms(until) - to_ms(now))
        told = f"{to_ms(until)} {text}"
        await self._wire.send(("SET", self._keys.offer(tenant, name), told, "PX", left))

    async def take(self, tenant: str, name: str, *, now: datetime) -> str | None:
        told = await self._wire.send(("GETDEL", self._keys.offer(tenant, name)))
        until, _, text = (told or "0 ").partition(" ")
        return text if int(until) > to_ms(now) else None
