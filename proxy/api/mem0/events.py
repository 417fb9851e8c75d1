"""What the last additions did, for those who ask for them as events.

Additions are done when they are answered, so an event only repeats the outcome. It holds ids and
no text, so that nothing of a forgotten memory is left here; it ends with the process.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from recollect.memory import NotFoundError, Scope
from recollect.memory.api.results import AddResult
from recollect.memory.model.owner import covers, owning_tenant
from recollect.memory.model.times import iso
from recollect.memory.model.types import OwnerRef, utc_now
from recollect.memory.util.lru import Lru

from .shapes import FAILED, SUCCEEDED, CountedPage

MOST_TENANTS = 1000
MOST_EVENTS = 100
"""Of one tenant."""
MOST_ROWS = 200_000
"""Memories that the events of all tenants name. Most additions have one, an addition may have a
thousand; of a tenant's the hundredth part is kept."""


class AdditionEvent(TypedDict):
    """An addition that is over."""

    id: str
    event_type: str
    status: str
    """`SUCCEEDED` or `FAILED`."""
    payload: dict[str, str]
    """Whose memories were added."""
    metadata: dict[str, str]
    """Of a failure: its code."""
    results: list[dict[str, str]]
    """The ids of the memories, and what became of each."""
    created_at: str
    updated_at: str
    started_at: str
    completed_at: str


class Additions:
    """The last additions of each tenant, in this process."""

    def __init__(self) -> None:
        self._of: Lru[str, tuple[tuple[Scope, AdditionEvent], ...]] = Lru(
            MOST_TENANTS, max_size=MOST_ROWS, size=_rows
        )

    def note(self, scope: Scope, result: AddResult) -> str:
        """Keep the outcome of an addition; the id of its event."""
        rows = [{"id": one["id"], "event": one["event"]} for one in result["results"]]
        return self._keep(scope, status=SUCCEEDED, metadata={}, results=rows)

    def note_failure(self, scope: Scope, code: str) -> str:
        """The same for one that stored nothing."""
        return self._keep(scope, status=FAILED, metadata={"error": code}, results=[])

    def _keep(
        self, scope: Scope, *, status: str, metadata: dict[str, str], results: list[dict[str, str]]
    ) -> str:
        now, event_id = iso(utc_now()), str(uuid.uuid4())
        event = AdditionEvent(
            id=event_id,
            event_type="ADD",
            status=status,
            payload=scope.ids(),
            metadata=metadata,
            results=results,
            created_at=now,
            updated_at=now,
            started_at=now,
            completed_at=now,
        )
        kept = ((scope, event), *(self._of.get(scope.tenant) or ()))[:MOST_EVENTS]
        while len(kept) > 1 and _rows(kept) > MOST_ROWS // 100:
            kept = kept[:-1]
        self._of.put(scope.tenant, kept)
        return event_id

    def all(self, owner_ref: OwnerRef) -> Sequence[AdditionEvent]:
        """Those of an owner, newest first."""
        kept = self._of.get(owning_tenant(owner_ref)) or ()
        return [event for scope, event in kept if covers(owner_ref, scope)]

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

    def one(self, owner_ref: OwnerRef, event_id: str) -> AdditionEvent:
        """One of them. Raises NotFoundError."""
        for event in self.all(owner_ref):
            if event["id"] == event_id:
                return event
        raise NotFoundError(
            f"there is no event {event_id[:100]!r}: the last {MOST_EVENTS} additions since the "
            "server started are known"
        )


def _rows(kept: Sequence[tuple[Scope, AdditionEvent]]) -> int:
    return sum(len(event["results"]) for _, event in kept)


class EventPage(CountedPage):
    """The events that are known."""

    results: list[AdditionEvent]


def event_page(events: Sequence[AdditionEvent]) -> dict[str, Any]:
    """All of them on one page."""
    return {"count": len(events), "next": None, "previous": None, "results": list(events)}
