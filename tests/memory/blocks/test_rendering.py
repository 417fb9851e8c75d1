"""Working blocks as a prompt has them."""

from __future__ import annotations

from functools import cache

import regex
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.blocks.rendering import CUT_OFF, EMPTY, page_of
from recollect.memory.blocks.visibility import SeenBlock
from recollect.memory.learn import BLOCKS_PREAMBLE, strip_injected
from recollect.memory.util.tokens import ApproximateCounter, TiktokenCounter
from tests.memory.blocks.blocks import block
from tests.support.fence import FENCE

BUDGET = 1000


@cache
def counting() -> ApproximateCounter:
    return ApproximateCounter()


def seen(label: str, value: str, *, writable: bool = True, **fields: object) -> SeenBlock:
    return SeenBlock(block(value, label=label, **fields), writable=writable, shared=False)


def lines(*blocks: SeenBlock, budget: int = BUDGET) -> list[str]:
    """What stands between the notice and the closing tag."""
    page = page_of(blocks, budget=budget, count=counting().count, fence=FENCE)
    opening, notice, *between, _ = page.text.split("\n")
    assert notice == BLOCKS_PREAMBLE
    assert opening.startswith("<recollect-")
    return between


def test_a_block_has_its_name_and_its_lines() -> None:
    """What it is for beside the name, and each line after a dash; a blank line stays blank."""
    plan = seen("plan", "buy tea\n\n  call Bob ", description="what is next")
    assert lines(plan) == ["* Block plan: what is next", "- buy tea", "", "-   call Bob"]


def test_what_no_model_may_write_says_so() -> None:
    """Because of the block, or of the rights of the scope; an empty one is shown too."""
    shown = lines(seen("a", "", read_only=True), seen("b", "x", writable=False))
    assert shown == ["* Block a (read-only):", EMPTY[:-1], "* Block b (read-only):", "- x"]


def test_what_does_not_fit_is_cut_off() -> None:
    """With a line that says so, and one that counts the blocks behind it."""
    long = seen("b", "word " * 2000)
    page = page_of(
        [seen("a", "short"), long, seen("c", "x")],
        budget=200,
        count=counting().count,
        fence=FENCE,
    )
    shown = page.text.splitlines(keepends=True)
    assert shown[2:5] == ["* Block a:\n", "- short\n", "* Block b:\n"]
    assert shown[5].startswith("- word word")
    assert shown[5].endswith("word\n")
    assert shown[6:8] == [CUT_OFF, "- (1 more block does not fit here)\n"]
    assert not page.complete
    assert 150 < counting().count(page.text) <= 200


CHARACTER = regex.compile(r"\X")
TEXTS = st.text(st.sampled_from("ab \n-:<|>é̈👩‍👩‍👧한\u2028")) | st.text(max_size=300)


@given(st.lists(TEXTS, max_size=6), st.integers(60, 400))
async def test_any_values_within_any_budget(values: list[str], budget: int) -> None:
    """Never more tokens than that, never half a character, and an echo of it is cut out whole."""
    tokens = await TiktokenCounter.open()
    blocks = [seen(f"b{at}", value) for at, value in enumerate(values)]
    page = page_of(blocks, budget=budget, count=tokens.count, fence=FENCE)
    again = page_of(blocks, budget=budget, count=tokens.count, fence=FENCE)
    assert page == again
    if not page.text:
        return
    assert tokens.count(page.text) <= budget
    assert strip_injected(f"before\n{page.text}\nafter").split() == ["before", "after"]
    whole = page_of(blocks, budget=10**6, count=tokens.count, fence=FENCE).text
    if CUT_OFF in page.text:
        cut = page.text.partition(CUT_OFF)[0].splitlines()[-1]
        parts = CHARACTER.findall(cut)
        assert any(CHARACTER.findall(line)[: len(parts)] == parts for line in whole.splitlines())
