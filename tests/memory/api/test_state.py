"""OwnerFigures as the API shows them."""

from datetime import timedelta

from recollect.memory.api.state import state_of
from recollect.memory.engine.owner_counts import OwnerFigures
from recollect.memory.engine.warm_indexes import Warmth
from recollect.memory.model.across_scopes import TurnCounts
from recollect.memory.model.types import MemoryStatus, MemoryType, utc_now


class Counted:
    def __init__(self, figures):
        self._figures = figures

    async def of(self, _owner_ref):
        return self._figures


async def test_each_figure_has_its_place():
    """Types and statuses by name, the queue with its age, and the tiers as views of the same."""
    kinds = {
        (MemoryType.SEMANTIC, MemoryStatus.ACTIVE): 3,
        (MemoryType.SEMANTIC, MemoryStatus.SUPERSEDED): 2,
        (MemoryType.EPISODIC, MemoryStatus.ARCHIVED): 1,
    }
    figures = OwnerFigures(
        at=utc_now(),
        users=2,
        turns=TurnCounts(said=7, unlearned=4),
        kinds=kinds,
        learned_today=1,
        jobs={"ready": 1, "leased": 0, "done": 9, "dead": 2},
        oldest=utc_now() - timedelta(seconds=30),
        warm=Warmth(users=1, memories=3, nbytes=1000),
    )
    told = await state_of(Counted(figures), "t")
    assert told["memories"] == {
        "semantic": {"active": 3, "superseded": 2},
        "episodic": {"archived": 1},
    }
    assert (told["archived"], told["connected"], told["said"], told["hot"]) == (1, 2, 7, 1)
    assert told["tiers"] == {"l0": 4, "l1": 3, "l2": 6}
    assert told["index"] == {"memories": 3, "bytes": 1000}
    assert told["queue"].keys() == {"ready", "leased", "dead", "oldest_seconds"}
    assert told["queue"]["oldest_seconds"] >= 30
