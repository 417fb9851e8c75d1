"""What the last additions did, for those who ask for them as events.

Additions are done when they are answered, so an event only repeats the outcome. It holds ids and
no text, so that nothing of a forgotten memory is left here; it ends with the process.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.memory import NotFoundError, Scope
from recollect.memory.model.owner import covers, owning_tenant
from recollect.memory.model.times import iso
from recollect.memory.model.types import OwnerRef, utc_now
from recollect.memory.util.lru import Lru

MOST_TENANTS = 1000
MOST_EVENTS = 100
"""Of one tenant."""
MOST_ROWS = 200_000
"""Memories that the events of all tenants name. Most additions have one, an addition may have a
thousand; of a tenant's the hundredth part is kept."""
_TIMES = ("created_at", "updated_at", "started_at", "completed_at")
Event = dict[str, Any]
_Kept = tuple[tuple[Scope, Event], ...]


class Additions:
    """The last additions of each tenant, in this process."""

    def __init__(self) -> None:
        self._of: Lru[str, _Kept] = Lru(MOST_TENANTS, max_size=MOST_ROWS, size=_rows)

    def note(
        self, scope: Scope, results: Iterable[Mapping[str, Any]], *, error: str | None = None
    ) -> str:
        """Keep the outcome of an addition, or the code of its failure; the id of its event."""
        event = {
            "id": str(uuid.uuid4()),
            "event_type": "ADD",
            "status": "FAILED" if error else "SUCCEEDED",
            "payload": scope.ids(),
            "metadata": {"error": error} if error else {},
            "results": [{"id": one["id"], "event": one["event"]} for one in results],
            **dict.fromkeys(_TIMES, iso(utc_now())),
        }
        kept = ((scope, event), *(self._of.get(scope.tenant) or ()))[:MOST_EVENTS]
        while len(kept) > 1 and _rows(kept) > MOST_ROWS // 100:
            kept = kept[:-1]
        self._of.put(scope.tenant, kept)
        return str(event["id"])

    def all(self, owner_ref: OwnerRef) -> Sequence[Event]:
        """Those of an owner, newest first."""
        kept = self._of.get(owning_tenant(owner_ref)) or ()
        return [event for scope, event in kept if covers(owner_ref, scope)]

    def one(self, owner_ref: OwnerRef, event_id: str) -> Event:
        """One of them. Raises NotFoundError."""
        for event in self.all(owner_ref):
            if event["id"] == event_id:
                return event
        raise NotFoundError(
            f"there is no event {event_id[:100]!r}: the last {MOST_EVENTS} additions since the "
            "server started are known"
        )

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Drop the events of an owner whose memories are gone, with the names in them.

        The id of a single memory tells nothing about anybody, and its history has it too.
        """
        tenant = owning_tenant(owner_ref)
        if memory_id is None and (kept := self._of.get(tenant)):
            self._of.put(tenant, tuple(each for each in kept if not covers(owner_ref, each[0])))

    def clear(self) -> None:
        """Drop everything."""
        self._of.drop(lambda _: True)


def _rows(kept: _Kept) -> int:
    return sum(len(event["results"]) for _, event in kept)
