"""Tenants that other replicas saw accepted or refused by the model server."""

from __future__ import annotations

from contextlib import AsyncExitStack

from recollect.config import Settings
from recollect.memory.engine.engine import Engine
from recollect.memory.model.admission import Admission
from recollect.memory.util.loops import repeat
from recollect.memory.util.tasks import Tasks

from .accepted import Accepted

EVERY_SECONDS = 0.5
"""A credential that was refused anywhere is unknown everywhere within a second."""
_OVERLAP_MS = 5_000
"""Read twice: a note may have been written while the last answer was on its way."""


class AcceptedElsewhere:
    """Keeps an `Accepted` as those of all replicas. For one event loop."""

    def __init__(self, accepted: Accepted, admission: Admission) -> None:
        self._accepted = accepted
        self._admission = admission
        self._untold: dict[str, bool] = {}
        self._since = 0
        accepted.on_change = self._untold.__setitem__

    async def run(self) -> None:
        """Tell and hear until cancelled; what could not be told is told later."""
        await repeat(EVERY_SECONDS, self.round)

    async def round(self) -> None:
        """Tell what changed here, and take over what changed elsewhere. Raises StateError."""
        for tenant, accepted in list(self._untold.items()):
            await self._admission.judge(tenant, accepted=accepted)
            if self._untold.get(tenant) is accepted:
                del self._untold[tenant]
        found = await self._admission.judged(self._since)
        # What changed here meanwhile is newer than what was heard.
        self._accepted.take_over(
            [name for name in found.accepted if name not in self._untold],
            [name for name in found.refused if name not in self._untold],
        )
        self._since = max(found.moment - _OVERLAP_MS, 1)


def accepted_of(
    settings: Settings, engine: Engine, stack: AsyncExitStack, *, shared: bool
) -> Accepted:
    """Whom the model server knows; with a shared state as all replicas saw it.

    `shared`: siblings write the same folder.
    """
    accepted = Accepted(
        settings.data_dir if settings.identity.mode == "gateway" else None, shared=shared
    )
    if (admission := engine.parts.state.admission) is not None:
        elsewhere = Tasks()
        elsewhere.start(AcceptedElsewhere(accepted, admission).run(), name="accepted elsewhere")
        stack.push_async_callback(elsewhere.drain, 0)
    return accepted
