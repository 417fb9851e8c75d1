"""What was forgotten, and what waits for a user's answer to be.

Tombstones are a set and a hash per tenant and never expire, offers a key each that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...model.owner import owning_tenant
from ...model.times import to_ms
from ...model.types import OwnerRef, Scope
from .keys import Keys, admitting_keys, ids_key
from .wire import Wire, in_parts

_CHUNK = 1000
_WHOLE_TENANT = "*"


class RedisTombstones:
    """`Tombstones` shared by all processes.

    If the answer of `close_scope` is lost the call may count twice, which is harmless: the epoch
    only has to change.
    """

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._keys = keys

    async def add(self, tenant: str, memory_ids: Sequence[str]) -> None:
        tombs = self._keys.tombs(tenant)
        await self._wire.send_all([("SADD", tombs, *part) for part in in_parts(memory_ids, _CHUNK)])

    async def among(self, tenant: str, memory_ids: Sequence[str]) -> set[str]:
        tombs = self._keys.tombs(tenant)
        answers = await self._wire.send_all(
            [("SMISMEMBER", tombs, *part) for part in in_parts(memory_ids, _CHUNK)]
        )
        known = [bool(flag) for answer in answers for flag in answer]
        return {memory_id for memory_id, is_in in zip(memory_ids, known, strict=True) if is_in}

    async def remove(self, tenant: str, memory_ids: Sequence[str]) -> None:
        tombs = self._keys.tombs(tenant)
        await self._wire.send_all([("SREM", tombs, *part) for part in in_parts(memory_ids, _CHUNK)])

    async def close_scope(self, owner_ref: OwnerRef) -> None:
        tenant = owning_tenant(owner_ref)
        field = _WHOLE_TENANT if isinstance(owner_ref, str) else ids_key(owner_ref)
        await self._wire.send(("HINCRBY", self._keys.epochs(tenant), field, 1))

    async def epoch(self, scope: Scope) -> tuple[int, ...]:
        counts = await self._wire.send(
            ("HMGET", self._keys.epochs(scope.tenant), _WHOLE_TENANT, *admitting_keys(scope))
        )
        return tuple(int(count or 0) for count in counts)


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
