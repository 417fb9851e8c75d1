"""What others ask about what was said, and where nothing was."""

from dataclasses import replace

from recollect.memory.model.types import MemoryStatus
from recollect.memory.recall.index.heard import NothingHeard, turns_of_active, unlearned
from recollect.memory.statements.passages import passage
from tests.memory.forget.parts import ALICE, memory, turn


async def test_where_nothing_is_said_nothing_is_found():
    """An engine of memories alone asks as any other and gets nothing."""
    nothing = NothingHeard()
    assert await nothing.of_scope(ALICE) == await nothing.of_turns("local", ["t"]) == []
    assert await nothing.named("local", ["said:t"]) == []
    assert [page async for page in nothing.of_tenant("local")] == []
    assert not await nothing.tenants()
    assert not await nothing.shown(ALICE, ["said:t"])
    await nothing.stale([ALICE])


def test_a_passage_is_not_shown_beside_its_memory():
    """What an active memory was learned from is left out; one that has ended hides nothing."""
    one, two = (
        passage(turn(name, "I tea."), 0, "I tea.", embedder_id="e", learned=False) for name in "ab"
    )
    learned = memory("m", "x", turns=("a",))
    assert unlearned([one, two], [learned]) == [two]
    ended = replace(learned, status=MemoryStatus.SUPERSEDED)
    assert unlearned([one, two], [ended]) == [one, two]
    assert turns_of_active([learned, ended]) == {"a"}
