"""What waits for a judgement, counted over all tenants."""

from dataclasses import replace

from recollect.memory.engine.doubtful_counts import doubtful_in
from recollect.memory.model.types import MemoryStatus, Provenance, Scope
from recollect.memory.trust.review import left_out
from tests.memory.learn.doubles import NOON
from tests.memory.memories.memories import memory
from tests.support.memories import InMemoryMemories


def kept(tenant, status=MemoryStatus.ACTIVE, pending=()):
    """A memory of this tenant."""
    stored = memory(Scope(tenant=tenant, user_id="u"), status=status)
    return replace(stored, item=replace(stored.item, provenance=Provenance(pending=tuple(pending))))


async def test_all_tenants_are_counted():
    """Quarantined ones by their status, conflicts by those whose others are still there."""
    tea, ended = kept("a"), kept("a", MemoryStatus.SUPERSEDED)
    coffee = kept("a", pending=[ended.item.id, tea.item.id])
    settled = kept("a", pending=[ended.item.id, "gone"])
    foreign = kept("b", pending=[tea.item.id])
    doubted = [kept(tenant, MemoryStatus.QUARANTINED) for tenant in ("a", "b")]
    doubted[0] = replace(doubted[0], item=left_out(doubted[0].item, NOON))
    every = [tea, ended, coffee, settled, foreign, *doubted]
    store = InMemoryMemories(dim=len(tea.vector))
    await store.put(every)
    assert await doubtful_in(store) == (len(every), 2, 1, 1)
