"""The methods of `AsyncMemory` by which a person takes memories out of recall, and back."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Unpack

from ...model import inputs
from ...model.endings import ended_by_a_person, held_once
from ...model.errors import InvalidInputError
from ...model.quantities import moment_of
from ...model.types import MemoryItem, OwnerRef
from ...operations.common import Expected, MemoryId, Reason
from ...operations.declaring import As, Named, field, operation
from ...operations.fields import Moment
from ...operations.operation import PREFIX
from ...operations.rights import Right
from ...operations.scope import ScopeIds
from ...operations.told import FactDict
from ...operations.tooling import REPLACES, Tier, tool
from ..results import MemoryDict, MemoryResults, memory_dict
from .base import MemoryCalls

_ONE = PREFIX + "/{memory_id}"
MOST_VERSIONS = 2**31


class CuratingCalls(MemoryCalls):
    """The methods of `AsyncMemory` by which a person takes memories out of recall, and back.

    What users said follows.
    """

    @tool(
        "fact_invalidate",
        "Say that a fact is not true",
        Tier.SEMANTIC,
        REPLACES,
        description="Say that a fact is not true, or not any more. It is recalled no more and "
        "can be brought back. Call it only when the user has said so of this fact.",
        answer=FactDict,
        person=True,
    )
    @operation(f"POST {_ONE}/invalidate", Right.WRITE, id="invalidate", by_id=True, ids_twice=True)
    async def invalidate(
        self,
        memory_id: MemoryId,
        *,
        reason: Annotated[
            str | None,
            As(Reason),
            field("Why it is not true, in a few words."),
        ] = None,
        valid_to: Annotated[
            datetime | str | None,
            As(Moment),
            field("Until when it was true (ISO 8601). Without it nobody is told that it ever was."),
        ] = None,
        version: Expected = None,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Say that a memory is not true, or not any more: it is recalled no more, and stays listed.

        With `valid_to` (ISO 8601 or `datetime`) since then. It leaves every recall and stays listed
        as superseded, with the `reason`; `revert` brings it back with its links. Without `valid_to`
        nobody is told that it ever was true. What users said before in the same words is left
        aside; who says it again is believed. `version` is as of `update`. Raises as `update`.
        """
        inputs.check_version_number(version)
        until = None if valid_to is None else _checked_end(valid_to)
        owner_ref = self._view.owner_ref(**ids)
        return await self._invalidated(owner_ref, memory_id, reason, until, version)

    async def _invalidated(
        self,
        owner_ref: OwnerRef,
        named: str,
        reason: str | None,
        until: datetime | None,
        version: int | str | None,
        *,
        never: bool = False,
    ) -> MemoryDict:
        """Invalidate a memory; `never`: it is not learned again either."""
        async with self._engine.bus.announce_after(self._view.owner.tenant, named):
            item = await self._lookup.existing(owner_ref, named)
            why = self._engine.redact(reason or "")
            ended = await self._retelling.invalidate(item, why, until, version, never=never)
            await self._denier.deny(ended)
            if not held_once(ended):
                await self._retelling.leave_out(ended)
            return memory_dict(ended)

    @tool(
        "fact_revert",
        "Take a change of a fact back",
        Tier.SEMANTIC,
        REPLACES,
        description="Undo the last change of a fact: that it was said to be untrue, replaced or "
        "reworded. Call it only when the user wants it back as it was.",
        answer=FactDict,
        takes=frozenset({"memory_id"}),
        person=True,
    )
    @operation(f"POST {_ONE}/revert", Right.WRITE, id="revert", by_id=True, ids_twice=True)
    async def revert(
        self,
        memory_id: MemoryId,
        to: Annotated[
            int | None,
            Named("version"),
            field(
                "The number of the version to return to. Default: what was changed last is undone.",
                high=MOST_VERSIONS,
            ),
        ] = None,
        *,
        version: Expected = None,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Take a memory back to an earlier version, or undo what was changed last.

        `to` is the number of that version. What was changed last is that it ended (by `invalidate`,
        `settle` or a later statement) or was archived, else its last edit. It has the text,
        metadata, importance and times of then, so it never looks newer; what it was until now is
        kept as a version too. `version` is as of `update`. Raises as `update`, and
        InvalidInputError if there is nothing to return to.
        """
        inputs.check_version_number(version)
        owner_ref = self._view.owner_ref(**ids)
        async with self._engine.bus.announce_after(self._view.owner.tenant, memory_id):
            item = await self._lookup.existing(owner_ref, memory_id)
            back = await self._retelling.revert(item, to, version)
            await self._allow(item)
            return memory_dict(back)

    @operation(f"GET {_ONE}/versions", id="versions", by_id=True)
    async def versions(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> MemoryResults:
        """What a memory was before each edit, newest first.

        It is what `revert` can return to. `provenance.ended` says of one that was taken back that
        it was. Raises NotFoundError.
        """
        item = await self._lookup.existing(self._view.owner_ref(**ids), memory_id)
        found = await self._retelling.versions(item)
        return MemoryResults(results=[memory_dict(each) for each in found])

    @operation(f"POST {_ONE}/restore", Right.WRITE, id="restore", by_id=True, ids_twice=True)
    async def restore(
        self,
        memory_id: MemoryId,
        **ids: Unpack[ScopeIds],
    ) -> MemoryDict:
        """Take a memory out of the archive, or undo that it was superseded.

        Raises NotFoundError. It is active again, or quarantined if it was, beside what superseded
        it; an earlier version is a memory of its own. Anything else cannot be restored:
        InvalidInputError.
        """
        owner_ref = self._view.owner_ref(**ids)
        async with self._engine.bus.announce_after(self._view.owner.tenant, memory_id):
            item = await self._lookup.existing(owner_ref, memory_id)
            back = await self._retelling.restore(item)
            await self._allow(item)
            return memory_dict(back)

    async def _allow(self, before: MemoryItem) -> None:
        if ended_by_a_person(before):
            await self._tell_again(before)


def _checked_end(valid_to: datetime | str) -> datetime:
    moment = moment_of(valid_to, seconds=False)
    if moment is None:
        raise InvalidInputError("valid_to", "expected a date and time (ISO 8601)")
    return moment
