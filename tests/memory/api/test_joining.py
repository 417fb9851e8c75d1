"""Found memories that only together answer a question are joined."""

from recollect.memory.api.joining import joined
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import Scope
from recollect.memory.recall.lines import QueryHit

from ..memories.memories import memory

ALICE = Scope(tenant="local", user_id="alice")


def hit(text):
    return QueryHit(memory(ALICE, text).item, 0.1, 0.1)


async def test_what_a_name_joins_is_found():
    """Whatever its own score is; what shares nothing is left out."""
    texts = ("My boots never dry", "In Tbilisi I met Giorgi", "Giorgi likes the old baths best")
    asked = "What did the person I met in Tbilisi recommend?"
    found = await joined(FakeEmbedder(), asked, [hit(text) for text in texts])
    assert [each.item.text for each in found] == [*texts[1:]]


async def test_nothing_joins_nothing():
    """Nor one memory alone."""
    assert await joined(FakeEmbedder(), "Who?", []) == []
    assert await joined(FakeEmbedder(), "Who?", [hit("Giorgi")]) == []
