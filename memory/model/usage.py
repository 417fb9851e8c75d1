"""How memories were used: the kinds of use, the counters of a memory, and what they are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

OFTEN = 4.0
"""So many recalls are worth half of what any number of them can be."""


class UseKind(StrEnum):
    """A kind of use; each is counted by itself."""

    RECALLED = "recalled"
    """It was shown to the model in a turn."""
    CONFIRMED = "confirmed"
    """The user said it again."""
    CORRECTED = "corrected"
    """The user said that it is otherwise."""
    POSITIVE = "positive"
    """Somebody called it useful."""
    NEGATIVE = "negative"
    """Somebody called it wrong or useless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The counters of one memory."""

    recalled: int = 0
    last_recalled: datetime | None = None
    """The time of the latest turn that it was shown in."""
    confirmed: int = 0
    corrected: int = 0
    positive: int = 0
    negative: int = 0

    @property
    def worth(self) -> float:
        """From 0 to below 1: how much its recalls speak for it; 0 if feedback speaks against it."""
        return 0.0 if self.negative > self.positive else 1 - math.exp2(-self.recalled / OFTEN)


UNUSED = Usage()
"""The counters of a memory that nobody has used."""
