"""Options of trust: which kinds of memories wait for a person."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from ..model.options_base import ByKind, Days, Options
from .policy import MOST_RULES, PolicyRule


class ReviewKind(StrEnum):
    """A kind of memory that may wait for a person (`trust.review`)."""

    HEALTH = "health"
    MONEY = "money"
    OTHER_PEOPLE = "other_people"
    WISHES = "wishes"


class ReviewOptions(ByKind):
    """Kinds of learned memories that wait for a person, each with its days.

    What waits longer is left out: it is kept, and never recalled by itself. None: the kind acts at
    once.
    """

    health: Days = Field(default=None, description="Illness, body, medicine.")
    money: Days = Field(default=None, description="Income, debts, prices paid.")
    other_people: Days = Field(default=None, description="What somebody else does.")
    wishes: Days = Field(
        default=None, description="Wishes about answers, which would stand in every chat."
    )

    @property
    def days(self) -> Mapping[str, float]:
        """The kinds that wait, with their days."""
        told = ((kind, getattr(self, kind.value)) for kind in ReviewKind)
        return {kind.value: days for kind, days in told if days is not None}


class TrustOptions(Options):
    """What is believed without a person, and whom memories are shown to."""

    review: ReviewOptions = Field(default_factory=ReviewOptions)
    policy: tuple[PolicyRule, ...] = Field(
        default=(),
        max_length=MOST_RULES,
        description="Rules on what goes to which model, and where answers are learned from; the "
        "strictest counts ([how](security.md#keep-memory-away-from-the-cloud)).",
    )
