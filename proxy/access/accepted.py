"""Whose credentials the model server has accepted."""

from __future__ import annotations

from contextlib import AsyncExitStack
from http import HTTPStatus

from recollect.config import Settings
from recollect.memory.engine.accepted import AcceptedTenants
from recollect.memory.engine.engine import Engine
from recollect.memory.util.loops import guarded
from recollect.memory.util.tasks import Tasks

REFUSED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""What a model server answers to credentials that it does not take."""


class Accepted:
    """Learns from the answers of chats which tenants of hashed credentials are real.

    Such a tenant exists as soon as somebody makes credentials up. Only the model server knows
    better: it answers the chats of real ones, and refuses those of a credential that was taken
    back. All that a chat presented is judged together, since nobody here knows what was judged.
    """

    def __init__(self, tenants: AcceptedTenants | None = None) -> None:
        """Without `tenants` no credential makes one."""
        self._tenants = tenants

    def note(self, tenant: str, status: int) -> None:
        """The model server answered a chat of this tenant with this status."""
        if self._tenants is not None and (status == HTTPStatus.OK or status in REFUSED):
            self._tenants.judge(tenant, accepted=status == HTTPStatus.OK)

    def __contains__(self, tenant: object) -> bool:
        return self._tenants is not None and tenant in self._tenants


async def accepted_of(settings: Settings, engine: Engine, stack: AsyncExitStack) -> Accepted:
    """Whom the model server knows, as every process that shares the database saw it."""
    if settings.identity.mode != "gateway":
        return Accepted()
    state, keeping = engine.parts.state, Tasks()
    tenants = AcceptedTenants(state.accepted, state.log)
    await guarded(tenants.settle)
    stack.push_async_callback(tenants.close)
    stack.push_async_callback(keeping.drain, 0)
    keeping.start(tenants.run(), name="accepted tenants")
    return Accepted(tenants)
