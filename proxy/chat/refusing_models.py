"""Models whose server refused what we added to a request, and took the same without it."""

from __future__ import annotations

import time
from collections.abc import Callable

from recollect.memory.util.lru import Lru

REFUSED_SECONDS = 600.0
"""After this time it is tried again: it may be another server by then."""
MODELS = 1000


class RefusingModels:
    """In this process: a request that was refused is sent once more as it came anyway."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._refusing: Lru[str, float] = Lru(MODELS)

    def takes(self, model: str) -> bool:
        """Whether something may be added to what this model is sent."""
        since = self._refusing.get(model)
        return since is None or self._clock() - since >= REFUSED_SECONDS

    def note(self, model: str) -> None:
        """Note that its server refused it."""
        self._refusing.put(model, self._clock())
