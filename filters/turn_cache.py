"""Caches the query, the selection and the block of turns in this process, bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from recollect.memory.blocks import RecalledBlock
from recollect.memory.model.types import Scope
from recollect.memory.recall import Query, Selection
from recollect.memory.util.lru import Lru

MAX_SELECTIONS = 2048
"""Turns whose selection is kept for tool round-trips; a few kilobytes each."""
MAX_QUERIES = 2048
"""Turns whose query a model wrote; a few kilobytes each at most."""
MAX_BLOCKS = 16_384
MAX_BLOCK_CHARS = 16_000_000
"""Of all blocks together; one with the default token budget has about 2,000."""


class TurnKey(NamedTuple):
    """A turn of a scope.

    The id is a hash over the scope; the scope is repeated so that no other scope's turn is found.
    """

    scope: Scope
    turn_id: str
    reader: str = ""
    """Where its memories go, if a policy tells one place from another."""


class TurnCache:
    """Queries, selections and blocks by turn, and the way to make it forget."""

    def __init__(self) -> None:
        self.queries: Lru[TurnKey, Query] = Lru(MAX_QUERIES)
        self.selections: Lru[TurnKey, Selection] = Lru(MAX_SELECTIONS, tags=_memory_ids)
        self.blocks: Lru[TurnKey, RecalledBlock] = Lru(
            MAX_BLOCKS,
            max_size=MAX_BLOCK_CHARS,
            size=lambda block: len(block.text),
            tags=lambda block: block.memory_ids,
        )
        self._forgotten: Counter[str] = Counter()
        self._cleared = 0

    def forget(self, owner_ref: Scope | str, memory_id: str | None = None) -> None:
        """Drop every turn that may hold this memory, or any memory of a scope or a tenant.

        Call it after the store has deleted. Turns of other scopes that can see the memories (the
        whole user's, if an agent's are deleted) are dropped too. All queries of the scope are
        dropped, because the memories they were written from are unknown.
        """
        self._forgotten[owner_ref if isinstance(owner_ref, str) else owner_ref.tenant] += 1
        self.blocks.drop(lambda key: concerns(owner_ref, key.scope), tag=memory_id)
        self.selections.drop(lambda key: concerns(owner_ref, key.scope), tag=memory_id)
        self.queries.drop(lambda key: concerns(owner_ref, key.scope))

    def clear(self) -> None:
        """Drop every turn, after unknown deletions."""
        self._cleared += 1
        for kept in (self.blocks, self.selections, self.queries):
            kept.drop(lambda _: True)

    def times_forgotten(self, tenant: str) -> int:
        """A counter. If it changes during a recall, the result may contain deleted memories."""
        return self._forgotten[tenant] + self._cleared


def _memory_ids(selection: Selection) -> Iterable[str]:
    """The ids of chosen and dropped hits, because both are kept with their text."""
    return [hit.item.id for hit in selection.chosen] + [hit.item.id for hit, _ in selection.dropped]


def concerns(owner_ref: Scope | str, scope: Scope) -> bool:
    """Whether a memory of `owner_ref` can exist that this scope may see."""
    if isinstance(owner_ref, str):
        return scope.tenant == owner_ref
    theirs = scope.ids()
    agree = all(theirs.get(name, value) == value for name, value in owner_ref.ids().items())
    return scope.tenant == owner_ref.tenant and agree
