"""How far a recall may go: how long it takes, and how many calls of each part are out at a time."""

from __future__ import annotations

import os

from recollect.filters import RequestRecallOptions
from recollect.memory.lru import Lru

from .guard import Breaker, Guard

RECALLS_PER_CORE = 8
MOST_RECALLS = 32
"""At a time, unless configured: see `recall.max_concurrent`. A container's share of the cores that
are counted may be small, and the local embedder has two threads, so more cores bear no more."""
MAX_GUARDS = 1000
"""Parts that improve recalls and are watched; one that is forgotten starts anew."""


class Bounds:
    """The bounds of all recalls of this process."""

    def __init__(self, options: RequestRecallOptions) -> None:
        self._options = options
        self.deadline_seconds = options.deadline_ms / 1000
        by_cores = min(MOST_RECALLS, RECALLS_PER_CORE * (os.cpu_count() or 1))
        self.recall = self._guard(options.max_concurrent or by_cores, "recall")
        """Is asked before a filter calls out."""
        self._parts: Lru[str, Guard] = Lru(MAX_GUARDS)

    def of(self, part: str) -> Guard:
        """The guard of a part that improvements ask: they never share the recall's."""
        guard = self._parts.get(part)
        if guard is None:
            guard = self._guard(self._options.rewrite.max_concurrent, "the rewrite")
            self._parts.put(part, guard)
        return guard

    def _guard(self, most: int, name: str) -> Guard:
        options = self._options
        breaker = Breaker(failures=options.breaker_failures, seconds=options.breaker_seconds)
        return Guard(breaker, max_concurrent=most, name=name)
