"""The bounds of a recall: its deadline, and how many calls each part gets at a time."""

from __future__ import annotations

import os

from recollect.filters import RequestRecallOptions
from recollect.memory.lru import Lru

from .guard import Breaker, Guard

RECALLS_PER_CORE = 8
MOST_RECALLS = 32
"""Recalls at a time if `recall.max_concurrent` is not set. The maximum exists because a container
may get few of the cores that are counted, and the local embedder has two threads."""
MAX_GUARDS = 1000
"""Most guards of parts that improve recalls; a dropped guard starts again from zero."""


class Bounds:
    """The bounds of all recalls of this process."""

    def __init__(self, options: RequestRecallOptions) -> None:
        self._options = options
        self.deadline_seconds = options.deadline_ms / 1000
        by_cores = min(MOST_RECALLS, RECALLS_PER_CORE * (os.cpu_count() or 1))
        self.recall = self._guard(options.max_concurrent or by_cores, "recall")
        """The guard of the recall itself: filters' calls to other parts go through it."""
        self._parts: Lru[str, Guard] = Lru(MAX_GUARDS)

    def of(self, part: str) -> Guard:
        """The guard of a part that improvements call; it is separate from the recall's guard."""
        guard = self._parts.get(part)
        if guard is None:
            guard = self._guard(self._options.rewrite.max_concurrent, "the rewrite")
            self._parts.put(part, guard)
        return guard

    def _guard(self, most: int, name: str) -> Guard:
        options = self._options
        breaker = Breaker(failures=options.breaker_failures, seconds=options.breaker_seconds)
        return Guard(breaker, max_concurrent=most, name=name)
