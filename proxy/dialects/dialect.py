"""The differences between the supported APIs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from recollect.filters import Answer

from .body import RequestBody


class EndDetector(Protocol):
    """Finds the last event of a stream."""

    def feed(self, chunk: bytes) -> bool:
        """Whether the last event is complete with this chunk.

        May be True too early, so the caller must be able to act again at the real end.
        """


@dataclass(frozen=True, slots=True)
class Dialect:
    """One API: the readers of its requests and answers."""

    path: str
    parse: Callable[[bytes], RequestBody]
    """Raises UnreadableBodyError."""
    read: Callable[[Iterable[bytes]], Answer | None]
    """Reads an answer from a JSON document, or from the data of a stream's events."""
    end_detector: Callable[[], EndDetector]
    lines: bool = False
    """Whether a stream is one of lines of JSON, not of events."""
    keeps_conversations: bool = False
    """Whether a request may continue an earlier answer without repeating the conversation."""
