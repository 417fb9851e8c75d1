"""What differs between the APIs we read and add to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from recollect.filters import Answer

from .body import RequestBody


class EndDetector(Protocol):
    """Watches a stream for its last event."""

    def feed(self, chunk: bytes) -> bool:
        """Whether the last event is complete with this chunk.

        May say so too early: whoever acts on it must be able to act again at the true end.
        """


@dataclass(frozen=True, slots=True)
class Dialect:
    """One API: how its requests are read, and its answers."""

    path: str
    parse: Callable[[bytes], RequestBody]
    """Raises UnreadableBodyError."""
    read: Callable[[Iterable[bytes]], Answer | None]
    """The answer in a JSON document, or in the data of each event of a stream."""
    end_detector: Callable[[], EndDetector]
    keeps_conversations: bool = False
    """Whether a request may go on from an earlier answer without repeating the conversation."""
