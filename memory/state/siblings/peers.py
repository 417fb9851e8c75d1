"""What siblings tell each other: who wrote, and what was forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...model.types import OwnerRef
from ...util.mesh import Mesh, SiblingFailedError
from ..announcement import read_message, write_message
from .counters import SharedCounters

log = logging.getLogger(__name__)

_GONE = "gone"


class SiblingPeers:
    """The `PeerBus` and the `WriteCounters` of sibling processes.

    In contrast to a server's, an announcement has arrived when `publish` returns.
    """

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._counters = SharedCounters.of(mesh.sibling)

    async def current(self, keys: Sequence[str]) -> tuple[int, ...]:
        return tuple([self._counters.value(key) for key in keys])

    async def bump(self, key: str) -> int:
        return self._counters.count(key)

    async def publish(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of an owner, or all, was forgotten; all others have heard it.

        One that does not answer hears it before anything that is told later.
        """
        try:
            await self._mesh.tell(_GONE, said=write_message(owner_ref, memory_id))
        except SiblingFailedError as error:
            log.warning("an announcement arrives late: %s", error)

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on announcements until cancelled.

        `on_gap` is called when the first can be heard: earlier ones were missed.
        """

        async def heard(values: Mapping[str, Any]) -> None:
            if (said := read_message(values["said"])) is not None:
                on_forgotten(*said)

        self._mesh.on(_GONE, heard)
        await self._mesh.up.wait()
        on_gap()
        await asyncio.Event().wait()
