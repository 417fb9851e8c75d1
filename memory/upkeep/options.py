"""Options of upkeep."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..model.options_base import ByKind, Options

DAILY_TOKENS = 100_000
"""A few cents of a small model: about 40 summaries and episodes."""


class KindOptions(ByKind):
    """Kinds of upkeep that are done by themselves, beside duplicates; any can be called for."""

    episodes: bool = Field(
        default=True,
        description="One episodic memory of each stretch of conversation. It needs a model; "
        "without one the stretches wait until one answers.",
    )
    reflect: bool = Field(
        default=False,
        description="Conclusions from episodes and facts. Each cites what it follows from and is "
        "quarantined until the user says it or a person validates it.",
    )
    summaries: bool = Field(
        default=False,
        description="With a model, memories of one topic are condensed into one summary that cites "
        "them; what it covers is archived for it, and comes back with an undo. It shortens lists. "
        "Off, because a summary is recalled whole: for the same tokens, chats get fewer of the "
        "memories that answer.",
    )


class UpkeepOptions(Options):
    """What is done to memories in the background, by itself or when it is called."""

    enabled: bool = Field(
        default=True,
        description="Look after memories by itself: by schedule, by threshold and after "
        "conversations. `false` leaves it to calls.",
    )
    kinds: KindOptions = Field(default_factory=KindOptions)
    daily_tokens: int = Field(
        default=DAILY_TOKENS,
        ge=0,
        description="Most tokens that all kinds of upkeep together may use of models, per tenant "
        "and day (UTC). Beyond it, what needs no model is still done. 0: no model is asked.",
    )
    archive_below: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="Archive memories whose salience is below this: what is left of their "
        "importance, which fades in months unless they are recalled. Archived memories are not "
        "recalled, and can be restored. None: only `retention.max_memories` archives, because "
        "nobody expects that what was told leaves recall while there is room. What was told, "
        "recalled, confirmed or called useful within 90 days stays.",
    )
    episode_attribution: Literal["merged", "per-agent"] = Field(
        default="per-agent",
        description="How a list or a search of a user's episodes shows what the user did with "
        "several agents at a time: `per-agent` one for each agent, `merged` as one. Each agent's "
        "is kept in its own scope in both, so that another agent recalls nothing of it.",
    )
