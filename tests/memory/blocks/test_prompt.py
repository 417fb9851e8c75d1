"""The page of a scope, kept."""

from __future__ import annotations

from recollect.memory.blocks import BlockPrompt, Fence
from recollect.memory.blocks.rendering import NO_BLOCKS
from recollect.memory.state.sqlite import in_memory_state
from tests.memory.blocks.test_keeper import define, keeper_of
from tests.memory.state.samples import ALICE, BOB
from tests.support.fence import FENCE


async def test_a_page_is_written_once() -> None:
    """Until a block changes or the fence does; a scope without blocks has none."""
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    keeper = keeper_of(in_memory_state())
    prompt = BlockPrompt(keeper, FENCE, budget=1000, count=count)
    assert not prompt.knows(ALICE)
    await define(keeper, "plan", value="tea")
    first = await prompt.page(ALICE)
    assert prompt.knows(ALICE)
    before = len(counted)
    assert await prompt.page(ALICE) is first
    assert len(counted) == before
    assert await prompt.page(BOB) is NO_BLOCKS
    prompt.fenced_by(Fence(b"another"))
    assert (await prompt.page(ALICE)).text != first.text
    await define(keeper, "plan", description="what is next")
    assert "what is next" in (await prompt.page(ALICE)).text
