"""Options of recall and of ranking."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from ..model.options_base import ByKind, Options
from .constants import MAX_HALF_LIFE, MAX_SHARE, MAX_WEIGHT, TUNING, Tuning

ExpandHops = Literal["auto", 0, 1]
"""Whether the best hits lead to others."""


def hops_of(asked: int | None, configured: ExpandHops) -> ExpandHops:
    """Of a search: as it is asked for; else its hits lead to others unless that is switched off.

    A search is not paid for by the token: what a hit leads to stands below it, and costs nothing.
    """
    if asked is None:
        return 0 if configured == 0 else 1
    return 1 if asked else 0


class ProfileOptions(Options):
    """What is recalled because of who asks: standing constraints, wishes, and the person."""

    enabled: bool = Field(
        default=True,
        description="`false`: no wish about answers goes with every request, no allergy is "
        'brought up for a recipe, and "What do you know about me?" finds nothing.',
    )
    wishes: ClassVar[bool] = True
    """Wishes about answers (form, tone, how to be addressed) go with every chat, also with one that
    needs no memory; not with the lines of a search (`LineBounds`)."""


class RankingOptions(ByKind):
    """What orders lines: weights from 0 to 10, shares from 0 to 1. `threshold` selects them."""

    dense: float = Field(
        default=TUNING.weights["dense"], ge=0, le=MAX_WEIGHT, description="Meaning."
    )
    lexical: float = Field(
        default=TUNING.weights["lexical"], ge=0, le=MAX_WEIGHT, description="Words."
    )
    recency: float = Field(
        default=TUNING.recency,
        ge=0,
        le=MAX_SHARE,
        description="For a new memory, against an old one.",
    )
    importance: float = Field(
        default=TUNING.importance, ge=0, le=MAX_SHARE, description="The same."
    )
    half_life_days: float = Field(
        default=TUNING.half_life_days,
        ge=1,
        le=MAX_HALF_LIFE,
        description="Age that counts neither way.",
    )

    def tuned(self, tuning: Tuning) -> Tuning:
        """These constants with the values that are set here."""
        values = self.model_dump()
        weights = {**tuning.weights, "dense": values.pop("dense"), "lexical": values.pop("lexical")}
        return replace(tuning, weights=weights, **values)


class RecallOptions(Options):
    """Bounds of one recall."""

    expand_hops: ClassVar[ExpandHops] = "auto"
    """Whether memories are recalled too that share a rare name with the best hits, or an edge of
    the graph: where the question seems to need more than one memory. For every message it would
    fill the budget with what nobody asked for."""

    limit: int = Field(
        default=8, ge=1, le=200, description="Most memories that are recalled for a message."
    )
    token_budget: int = Field(
        default=512, ge=16, le=32_000, description="Most tokens the injected message may have."
    )
    threshold: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Least probability that a memory bears on the message, of each line. "
        "`0`: nothing is withheld.",
    )
    calibration: Path | None = Field(
        default=None,
        description="File with the thresholds measured by `recollect calibrate`. Default: "
        "`calibration.json` in `data_dir`.",
    )
    ranking: RankingOptions = Field(default_factory=RankingOptions)
    profile: ProfileOptions = Field(default_factory=ProfileOptions)

    @cached_property
    def tuning(self) -> Tuning:
        """The constants of ranking, with the values of `ranking`."""
        return self.ranking.tuned(TUNING)

    def model_post_init(self, context: Any, /) -> None:
        """Have the constants before the options are copied: each search has a copy of its own."""
        del context
        _ = self.tuning
