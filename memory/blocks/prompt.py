"""The working blocks of a scope as a chat is given them, kept as long as they are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model.types import MemoryItem, Scope
from ..util.lru import Lru
from .keeper import BlockKeeper
from .lines import GAP, Fence, render
from .rendering import NO_BLOCKS, BlockPage, page_of
from .visibility import SeenBlock

MOST_PAGES = 2_000
"""Scopes whose page is kept; each has the block budget at most."""
BLOCK_TOKENS = 1000
"""Most tokens that the blocks of a request may have together, besides `recall.token_budget`: twice
what is recalled, since somebody wrote them to be read in each chat. The block that does not fit is
cut off, and a line says so."""


class BlockPrompt:
    """Writes the blocks of scopes within one budget."""

    def __init__(
        self, keeper: BlockKeeper, fence: Fence, *, budget: int, count: Callable[[str], int]
    ) -> None:
        """A page has at most `budget` tokens, as `count` counts them."""
        self._keeper = keeper
        self._fence = fence
        self._budget, self._count = budget, count
        self._pages: Lru[Scope, tuple[Sequence[SeenBlock], Fence, BlockPage]] = Lru(MOST_PAGES)

    @property
    def budget(self) -> int:
        """Most tokens of a page."""
        return self._budget

    @property
    def fence(self) -> Fence:
        """What the page is written with."""
        return self._fence

    def fenced_by(self, fence: Fence) -> None:
        """Write with this fence from now on: that of the memories in the same prompts."""
        self._fence = fence

    def knows(self, scope: Scope) -> bool:
        """Whether `page` needs no state."""
        return self._keeper.knows(scope)

    async def page(self, scope: Scope) -> BlockPage:
        """What a chat of this scope is given. Raises StateError."""
        seen = await self._keeper.seen(scope)
        if not seen:
            return NO_BLOCKS
        kept = self._pages.get(scope)
        if kept is not None and kept[0] is seen and kept[1] is self._fence:
            return kept[2]
        page = page_of(seen, budget=self._budget, count=self._count, fence=self._fence)
        self._pages.put(scope, (seen, self._fence, page))
        return page

    async def with_lines(self, scope: Scope, lines: Sequence[MemoryItem]) -> str:
        """The page and these memories as a chat is given both. Raises StateError."""
        page = (await self.page(scope)).text
        return GAP.join(
            [*([page] if page else []), *([render(lines, self._fence)] if lines else [])]
        )
