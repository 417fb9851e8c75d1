"""Options of recall and of ranking."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from ..model.options_base import Options
from .constants import TUNING, Tuning

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


class RecallOptions(Options):
    """Bounds of one recall."""

    tuning: ClassVar[Tuning] = TUNING
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
    profile: ProfileOptions = Field(default_factory=ProfileOptions)
