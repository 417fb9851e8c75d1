"""Curation by a person: of the own memories, without secrets; what users said follows."""

from __future__ import annotations

from datetime import datetime

from ..model import inputs
from ..model.endings import ended_by_a_person, was_so
from ..model.errors import InvalidInputError
from ..model.quantities import moment_of
from ..model.types import MemoryItem, OwnerRef
from ..statements.denial import StatementDenier
from .results import MemoryDict, MemoryResults, memory_dict
from .retelling import Retelling
from .view import TenantView


class Curator:
    """Takes memories of a view out of recall, and back."""

    def __init__(self, view: TenantView) -> None:
        self._view = view
        parts = view.engine.parts
        self._curation = Retelling(parts, guard=view.engine.forgetter.guard)
        self._denier = StatementDenier(parts)

    async def invalidate(
        self,
        owner_ref: OwnerRef,
        memory_id: str,
        *,
        reason: str | None,
        valid_to: datetime | str | None,
        version: int | str | None,
    ) -> MemoryDict:
        """See `AsyncMemory.invalidate`."""
        inputs.check_reason(reason)
        inputs.check_version_number(version)
        until = None if valid_to is None else _checked_end(valid_to)
        engine = self._view.engine
        async with engine.bus.announce_after(self._view.owner.tenant, memory_id):
            item = await self._view.engine.lookup.existing(owner_ref, memory_id)
            why = engine.redact(reason or "")
            ended = await self._curation.invalidate(item, why, until, version)
            await self._denier.deny(ended)
            if not was_so(ended):
                await self._curation.leave_out(ended)
            return memory_dict(ended)

    async def revert(
        self, owner_ref: OwnerRef, memory_id: str, *, to: int | None, version: int | str | None
    ) -> MemoryDict:
        """See `AsyncMemory.revert`."""
        inputs.check_version_number(version)
        _check_number(to)
        async with self._view.engine.bus.announce_after(self._view.owner.tenant, memory_id):
            item = await self._view.engine.lookup.existing(owner_ref, memory_id)
            back = await self._curation.revert(item, to, version)
            await self._allow(item)
            return memory_dict(back)

    async def versions(self, owner_ref: OwnerRef, memory_id: str) -> MemoryResults:
        """See `AsyncMemory.versions`."""
        item = await self._view.engine.lookup.existing(owner_ref, memory_id)
        found = await self._curation.versions(item)
        return MemoryResults(results=[memory_dict(each) for each in found])

    async def restore(self, owner_ref: OwnerRef, memory_id: str) -> MemoryDict:
        """See `AsyncMemory.restore`."""
        async with self._view.engine.bus.announce_after(self._view.owner.tenant, memory_id):
            item = await self._view.engine.lookup.existing(owner_ref, memory_id)
            back = await self._curation.restore(item)
            await self._allow(item)
            return memory_dict(back)

    async def _allow(self, before: MemoryItem) -> None:
        if ended_by_a_person(before):
            await self._denier.allow(before)
            await self._curation.tell_again(before)


def _checked_end(valid_to: datetime | str) -> datetime:
    moment = moment_of(valid_to, seconds=False)
    if moment is None:
        raise InvalidInputError("valid_to", "expected a date and time (ISO 8601)")
    return moment


def _check_number(to: object) -> None:
    if to is not None and (isinstance(to, bool) or not isinstance(to, int) or to < 1):
        raise InvalidInputError("version", "expected the number of an earlier version")
