"""What is kept of blocks in a process."""

from __future__ import annotations

from collections import Counter

from recollect.memory.blocks.cache import BlockCache, announced
from recollect.memory.blocks.visibility import SeenBlock
from recollect.memory.model.types import Scope
from tests.memory.blocks.blocks import block
from tests.memory.state.samples import ALICE, OTHER_ALICE


class Reads:
    """A state with one block of each scope, which counts what is asked of it."""

    def __init__(self, *, any_block: bool = True) -> None:
        self.any_block = any_block
        self.asked: Counter[str] = Counter()
        self.cache = BlockCache(self._exist, self._read)

    async def _exist(self, tenant: str) -> bool:
        self.asked[f"tenant {tenant}"] += 1
        return self.any_block

    async def _read(self, scope: Scope) -> list[SeenBlock]:
        self.asked["scope"] += 1
        self.during()
        return [SeenBlock(block(scope=scope), writable=True, shared=False)]

    def during(self) -> None:
        """What happens while a scope is read."""


async def test_a_scope_is_read_once() -> None:
    """Until a block of its tenant changes; other tenants' blocks stay known."""
    reads = Reads()
    for scope in (ALICE, ALICE, OTHER_ALICE):
        assert [seen.block.scope for seen in await reads.cache.get(scope)] == [scope]
    assert reads.asked["scope"] == 2
    reads.cache.forget("local", announced("b"))
    await reads.cache.get(OTHER_ALICE)
    assert reads.asked["scope"] == 2
    await reads.cache.get(ALICE)
    assert reads.asked["scope"] == 3


async def test_what_changes_while_it_is_read_is_not_kept() -> None:
    """The next request reads it again."""
    for change in ("forget", "clear"):
        reads = Reads()

        def changed(reads: Reads = reads, change: str = change) -> None:
            if change == "clear":
                reads.cache.clear()
            else:
                reads.cache.forget("local", announced("b"))

        reads.during = changed  # type: ignore[method-assign]
        await reads.cache.get(ALICE)
        reads.during = lambda: None  # type: ignore[method-assign]
        await reads.cache.get(ALICE)
        await reads.cache.get(ALICE)
        assert reads.asked["scope"] == 2
