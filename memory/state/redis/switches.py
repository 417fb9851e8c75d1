"""Switches in a hash."""

from __future__ import annotations

from collections.abc import Mapping

from .keys import Keys
from .wire import Wire


class RedisSwitches:
    """`Switches` shared by all processes. A write that is resent changes nothing."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def read(self) -> dict[str, bool]:
        found = await self._wire.send(("HGETALL", self._keys.switches))
        return {str(name): value == "1" for name, value in dict(found).items()}

    async def write(self, values: Mapping[str, bool]) -> None:
        pairs = [part for name, on in values.items() for part in (name, str(int(on)))]
        if pairs:
            await self._wire.send(("HSET", self._keys.switches, *pairs))
