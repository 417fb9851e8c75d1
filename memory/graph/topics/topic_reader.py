"""Reads the topics of a scope: its memories, and the turns on which they bore."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from ...database.conversations import SqlConversations
from ...memories import SqlMemories
from ...model.types import MemoryStatus, Scope
from .topic import TopicGraph
from .topic_map import drawn
from .topic_space import TopicSpace

MOST_MEMORIES = 20_000
"""Active memories of a scope that topics are made of: as many as `retention.max_memories` keeps."""
MOST_CONVERSATIONS = 50
MOST_TURNS = 40
"""Conversations, the newest ones, and the last turns of each that tell what is recalled together:
at most 2,000 turns."""
_ARCHIVED = frozenset({MemoryStatus.ARCHIVED})

T = TypeVar("T")
InBulk = Callable[[Scope, Callable[[], T]], Awaitable[T]]
"""Runs a computation for a scope beside the event loop."""


class TopicReader:
    """Draws the topics of a scope from what is stored at the time. Keeps nothing."""

    def __init__(
        self,
        store: SqlMemories,
        conversations: SqlConversations,
        space: TopicSpace,
        *,
        bulk: InBulk[TopicGraph],
    ) -> None:
        self._store = store
        self._conversations = conversations
        self._space = space
        self._bulk = bulk

    async def read(self, scope: Scope) -> TopicGraph:
        """The topics of the memories that the scope admits. Raises StoreError and StateError.

        20,000 memories take one to ten seconds of CPU.
        """
        rows = await self._store.load(scope, limit=MOST_MEMORIES + 1)
        kept, more = rows[:MOST_MEMORIES], len(rows) > MOST_MEMORIES
        if any(one.item.provenance.cites for one in kept):  # a summary stands for archived ones
            kept = kept + await self._store.load(scope, limit=MOST_MEMORIES, statuses=_ARCHIVED)
        recalls = await self._recalls(scope) if kept else []
        return await self._bulk(scope, lambda: drawn(kept, recalls, self._space, more=more))

    async def _recalls(self, scope: Scope) -> list[tuple[str, ...]]:
        """The memories that bore on the message of each of the last turns.

        What else was shown with them connects nothing; nor does a turn of which only that is known.
        """
        found = await self._conversations.conversations(scope, limit=MOST_CONVERSATIONS)
        return [
            turn.asked
            for one in found
            for turn in await self._conversations.latest_turns(one.scope, one.id, limit=MOST_TURNS)
            if turn.asked
        ]
