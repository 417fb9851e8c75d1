"""Reads what a recall adds to a scope's memories: statements, shared and connected memories."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from ..database.graph import SqlGraph
from ..model.errors import StateError
from ..model.graph import ConnectedMemory
from ..model.types import Scope
from .index.entry import (
    NO_STATEMENTS,
    NOTHING_SHARED,
    RecentStatements,
    SharedMemories,
    StatementSource,
)
from .shared_memories import SharedMemoryReader

GRAPH_SECONDS = 0.05
"""So long a recall waits for the graph at most: one that is near takes a millisecond."""
MOST_CONNECTED = 40
RARE = 4
"""Memories that speak of what the graph connects by, at most. Who is in more of them is found by
the texts, if at all: asked for up to twelve, it mostly repeats what they were too common for."""
log = logging.getLogger(__name__)


class ExtraSources:
    """All fail open: while the state fails, memories are recalled without them."""

    def __init__(self, said: StatementSource | None) -> None:
        """`said` finds what users said lately; None: nothing is recalled of it."""
        self.said = said
        self.shared_memories: SharedMemoryReader | None = None
        """Finds what is attached to scopes; None: nothing ever is."""
        self.graph: SqlGraph | None = None
        """Knows who is one and the same, and how they are connected; None without a graph."""
        self.settled: Callable[[Scope], Awaitable[bool]] | None = None
        """Waits, not for long, until what the scope's user just said is read; None: nothing does.

        Returns whether there was anything to wait for."""

    async def connected(self, scope: Scope, memory_ids: Sequence[str]) -> Sequence[ConnectedMemory]:
        """What the graph connects with these memories; nothing if it is off, slow or down."""
        if self.graph is None or not memory_ids:
            return ()
        try:
            async with asyncio.timeout(GRAPH_SECONDS):
                return await self.graph.connected(
                    scope, memory_ids, limit=MOST_CONNECTED, most_spread=RARE
                )
        except (StateError, TimeoutError) as error:
            told = str(error) or "it is too slow"
            log.warning("what the graph connects is not recalled: %s", told)
            return ()

    async def statements(self, scope: Scope) -> RecentStatements:
        """What the scope's user said and is no memory yet."""
        try:
            if self.said is None:
                return NO_STATEMENTS
            said = await self.said.get(scope)
            waited = self.settled is not None and await self.settled(scope)
            return await self.said.get(scope) if waited else said
        except StateError as error:
            log.warning("what was said is not recalled: %s", error)
            return NO_STATEMENTS

    async def shared(self, scope: Scope) -> SharedMemories:
        """What is attached to the scope."""
        try:
            return (
                NOTHING_SHARED
                if self.shared_memories is None
                else await self.shared_memories.get(scope)
            )
        except StateError as error:
            log.warning("what is attached is not recalled: %s", error)
            return NOTHING_SHARED
