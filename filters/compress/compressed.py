"""The decision of compression about a request."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from .parts import OldStep


@dataclass(frozen=True, slots=True)
class Compressed:
    """The turns that are taken out of a request, and what takes their place."""

    without: tuple[range, ...]
    """The indexes of the messages that do not go upstream, in order."""
    turn_ids: tuple[str, ...]
    """The turns that do not go upstream, in order."""
    carrier: int
    """The index of the user's message that the extract stands before."""
    extract: str
    """The whole fenced text; "" if nothing is to be said of the turns."""
    said: frozenset[tuple[str, int]] = field(repr=False)
    """The pieces that the extract says, by turn and number."""
    steps: Sequence[OldStep] = field(repr=False)
    """All that the turns say."""

    def takes(self, index: int) -> bool:
        """Whether the message with this index does not go upstream."""
        at = bisect_right(self.without, index, key=lambda part: part.start) - 1
        return at >= 0 and index in self.without[at]
