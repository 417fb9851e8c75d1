"""Options of upkeep; each kind has a section."""

from __future__ import annotations

from pydantic import Field

from ..model.options_base import Options
from .consolidate.options import ConsolidateOptions
from .episodes.options import EpisodeOptions
from .reflect.options import ReflectOptions

DAILY_TOKENS = 100_000
"""A few cents of a small model: about 40 summaries and episodes."""


class UpkeepOptions(Options):
    """What is done to memories in the background, by itself or when it is called."""

    enabled: bool = Field(
        default=True,
        description="Look after memories by itself: by schedule, by threshold and after "
        "conversations. `false` leaves it to calls.",
    )
    daily_tokens: int = Field(
        default=DAILY_TOKENS,
        ge=0,
        description="Most tokens that all kinds of upkeep together may use of models, per tenant "
        "and day (UTC). Beyond it, what needs no model is still done. 0: no model is asked.",
    )
    consolidate: ConsolidateOptions = Field(default_factory=ConsolidateOptions)
    episodes: EpisodeOptions = Field(default_factory=EpisodeOptions)
    reflect: ReflectOptions = Field(default_factory=ReflectOptions)
