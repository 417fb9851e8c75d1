"""What this process remembers of turns, in bounds: the query, what was recalled, the block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from recollect.memory.lru import Lru
from recollect.memory.recall import Query, Selection
from recollect.memory.types import Scope

from .inject.blocks import Block

MAX_SELECTIONS = 2048
"""Turns whose recall is kept for their tool round-trips; a selection is a few kilobytes."""
MAX_QUERIES = 2048
"""Turns whose query a model wrote; one is at most some kilobytes."""
MAX_BLOCKS = 16_384
MAX_BLOCK_CHARS = 16_000_000
"""Of all blocks together; one with the default token budget has about 2,000."""


class TurnKey(NamedTuple):
    """A turn of a scope.

    The id alone would do, it is a hash over the scope; with both nobody can find another's.
    """

    scope: Scope
    turn_id: str


class TurnCache:
    """Queries, selections and blocks by turn, and the way to make it forget."""

    def __init__(self) -> None:
        self.queries: Lru[TurnKey, Query] = Lru(MAX_QUERIES)
        self.selections: Lru[TurnKey, Selection] = Lru(MAX_SELECTIONS, tags=_memory_ids)
        self.blocks: Lru[TurnKey, Block] = Lru(
            MAX_BLOCKS,
            max_size=MAX_BLOCK_CHARS,
            size=lambda block: len(block.text),
            tags=lambda block: block.memory_ids,
        )
        self._forgotten: Counter[str] = Counter()
        self._cleared = 0

    def forget(self, whose: Scope | str, memory_id: str | None = None) -> None:
        """Drop every turn that may hold this memory, or any memory of a scope or a tenant.

        To be called after the store has deleted. A turn of another scope that can see one of
        these memories (the whole user's, if an agent's are deleted) is dropped too. Nobody knows
        which memories the conversation repeats that a query was written from: all of them go.
        """
        self._forgotten[whose if isinstance(whose, str) else whose.tenant] += 1
        self.blocks.drop(lambda key: concerns(whose, key.scope), tag=memory_id)
        self.selections.drop(lambda key: concerns(whose, key.scope), tag=memory_id)
        self.queries.drop(lambda key: concerns(whose, key.scope))

    def clear(self) -> None:
        """Drop every turn: something was deleted, and nobody knows what."""
        self._cleared += 1
        for kept in (self.blocks, self.selections, self.queries):
            kept.drop(lambda _: True)

    def times_forgotten(self, tenant: str) -> int:
        """Tells whoever asked a store in between that the answer may hold what is deleted now."""
        return self._forgotten[tenant] + self._cleared


def _memory_ids(selection: Selection) -> Iterable[str]:
    """Of all that was found: also what was not chosen is kept with its text."""
    yield from (hit.item.id for hit in selection.chosen)
    yield from (hit.item.id for hit, _ in selection.dropped)


def concerns(whose: Scope | str, scope: Scope) -> bool:
    """Whether a memory of `whose` can exist that this scope may see."""
    if isinstance(whose, str):
        return scope.tenant == whose
    theirs = scope.ids()
    agree = all(theirs.get(name, value) == value for name, value in whose.ids().items())
    return scope.tenant == whose.tenant and agree
