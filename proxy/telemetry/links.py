"""Links a learning run to the requests it learned from: span contexts by conversation.

In memory only: requests of another process, or from before a restart, have no link.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Generic, NamedTuple, TypeVar

from recollect.memory.util.lru import Lru

MOST_CONVERSATIONS = 5000
MOST_EACH = 16
"""Requests of a conversation that are remembered, the newest ones."""

C = TypeVar("C")


class _Noted(NamedTuple, Generic[C]):
    at_ns: int
    context: C


class RequestLinks(Generic[C]):
    """Contexts of requests that wait for a learning run."""

    def __init__(self) -> None:
        self._noted: Lru[str, deque[_Noted[C]]] = Lru(MOST_CONVERSATIONS)

    def note(self, conversation_id: str, context: C) -> None:
        """A request of this conversation was made."""
        waiting = self._noted.get(conversation_id)
        if waiting is None:
            waiting = deque(maxlen=MOST_EACH)
            self._noted.put(conversation_id, waiting)
        waiting.append(_Noted(time.time_ns(), context))

    def take(self, conversation_id: str, *, before_ns: int, keep: bool) -> list[C]:
        """Those of before this moment, oldest first; with `keep` another run gets them too."""
        waiting = self._noted.get(conversation_id) or ()
        found = [noted.context for noted in waiting if noted.at_ns < before_ns]
        if not keep and isinstance(waiting, deque):
            for _ in found:
                waiting.popleft()
        return found
