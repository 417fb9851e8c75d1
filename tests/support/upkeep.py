"""A step of upkeep that is easy to follow: of memories with the same words, the first is kept."""

from __future__ import annotations

from recollect.memory.memories import SqlMemories
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import (
    ChatRequest,
    Decision,
    EventKind,
    MemoryItem,
    Message,
    Source,
)
from recollect.memory.upkeep import UpkeepPlan, Work


class KeepsFirst:
    """Ends a memory that says in other capitals what an older one says."""

    kind = JobKind.CONSOLIDATE

    def __init__(self, store: SqlMemories, *, asks: bool = False) -> None:
        """With `asks` it needs a model, if only for a yes."""
        self._store = store
        self._asks = asks

    async def plan(self, work: Work) -> UpkeepPlan:
        if self._asks and work.model is not None:
            await work.model.complete(ChatRequest(messages=[Message(role="user", content="?")]))
        found = await self._store.list(work.scope, limit=None)
        items = [one for one in found if one.scope == work.scope]
        items.sort(key=lambda one: (one.created_at, one.provenance.sequence, one.id))
        first: dict[str, MemoryItem] = {}
        again = [one for one in items if first.setdefault(one.text.lower(), one) is not one]
        unasked = self._asks and work.model is None
        return UpkeepPlan(tuple(map(_ended, again)), {"merged": len(again)}, unasked=unasked)

    async def applied(self, work: Work, plan: UpkeepPlan) -> None:
        del work, plan


def _ended(item: MemoryItem) -> Decision:
    return Decision(
        event=EventKind.DELETE,
        memory_id=item.id,
        text=item.text,
        old_text=item.text,
        type=item.type,
        stage="duplicate",
        reason="an older memory says the same",
        source=Source.USER,
    )
