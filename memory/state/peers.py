"""What processes on several machines tell each other: what was forgotten, and who wrote.

Announcements may be missed. A gap is therefore reported, after which everything cached is dropped.
Messages carry scopes and ids, no texts. Counters of writes are in the database and are read with
every recall, so that no write is missed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..database.sharing import SqlCounters
from ..model.types import OwnerRef
from .announcement import read_message, write_message
from .replicas import BusReplicas

_GONE = "gone"


class Peers:
    """The `PeerBus` and the `WriteCounters` of all processes, the sender included."""

    def __init__(self, counters: SqlCounters, replicas: BusReplicas) -> None:
        self._counters = counters
        self._replicas = replicas

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        return await self._counters.current(keys)

    async def bump(self, key: str) -> int:
        return await self._counters.bump(key)

    async def publish(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of an owner, or all, was forgotten. Raises StateError."""
        await self._replicas.tell(_GONE, said=write_message(owner_ref, memory_id))

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on announcements until cancelled.

        `on_gap` is called when the first can be heard, and when the connection is back after it was
        lost: earlier ones were missed.
        """

        async def heard(values: Mapping[str, Any]) -> None:
            if (said := read_message(values["said"])) is not None:
                on_forgotten(*said)

        self._replicas.on(_GONE, heard)
        self._replicas.begins.append(on_gap)
        on_gap()  # if they are heard already
        await asyncio.Event().wait()
