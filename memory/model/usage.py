"""Usage of memories: the kinds of use, the counters, and what they are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .errors import InvalidInputError

OFTEN = 4.0
"""So many recalls are worth half of what any number of them can be."""
OWN_WORD = 2.0
"""What the user says of a matter counts as so many votes: it is evidence, and they are opinions."""
VERY = 3
"""So many negative ones is a very negative one."""


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


class ReuseOutcome(StrEnum):
    """How a task went: a run of an agent, or one that was done by a procedure."""

    SUCCESS = "success"
    FAILURE = "failure"


def checked_outcome(outcome: object) -> ReuseOutcome:
    """The outcome of this name. Raises InvalidInputError."""
    try:
        return ReuseOutcome(str(outcome))
    except ValueError:
        raise InvalidInputError("outcome", f"expected one of {', '.join(ReuseOutcome)}") from None


class Feedback(StrEnum):
    """What somebody may say of a memory."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    VERY_NEGATIVE = "very_negative"
    RIGHT = "right"
    """It is so: as if the user said it again."""
    WRONG = "wrong"
    """It never was so: it is kept from recall until somebody validates it."""
    OUTDATED = "outdated"
    """It is not so any more, from now on."""
    NOT_NOW = "not_now"
    """It is so, and not wanted for such a question."""

    @property
    def use(self) -> UseKind | None:
        """How it is counted; None if it is not."""
        return _USES.get(self)

    @property
    def times(self) -> int:
        """How often it is counted."""
        return VERY if self is Feedback.VERY_NEGATIVE else 1


_USES = {
    Feedback.POSITIVE: UseKind.POSITIVE,
    Feedback.NEGATIVE: UseKind.NEGATIVE,
    Feedback.VERY_NEGATIVE: UseKind.NEGATIVE,
    Feedback.RIGHT: UseKind.CONFIRMED,
}


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
    def rating(self) -> float:
        """What people say of it: above -1 and below 1; 0 if nothing, or as much for as against.

        The rating of the beta reputation system (Jøsang and Ismail 2002, "The Beta Reputation
        System", Bled): ``(r - s) / (r + s + 2)``, the mean of the beta distribution after r votes
        for it and s against it, on a scale around 0. One vote moves it by a third at most, further
        ones by less and less, and each may be made up for by votes of the other kind.

        What the user confirmed speaks for it, and what they corrected too: since then it has the
        text that they said (an ended memory is recalled no more).
        """
        good = self.positive + OWN_WORD * (self.confirmed + self.corrected)
        return (good - self.negative) / (good + self.negative + 2)

    @property
    def trust(self) -> float:
        """From above 0 to 1: how far its recalls count for anything, as feedback tells."""
        return 1 + min(self.rating, 0.0)

    @property
    def worth(self) -> float:
        """From 0 to below 1: how much its recalls speak for it."""
        return self.trust * (1 - math.exp2(-self.recalled / OFTEN))


UNUSED = Usage()
"""The counters of a memory that nobody has used."""
