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
        description="One episodic memory of each stretch of conversation. It needs a model.",
    )
    reflect: bool = Field(
        default=False,
        description="Conclusions from episodes and facts, quarantined until the user says them "
        "or a person validates them.",
    )
    summaries: bool = Field(
        default=False,
        description="With a model, memories of one topic become one summary that cites them; "
        "they are archived for it, and come back with an undo. It shortens lists, not chats.",
    )


class UpkeepOptions(Options):
    """What is done to memories in the background, by itself or when it is called."""

    enabled: bool = Field(
        default=True,
        description="Look after memories by schedule, by threshold and after conversations. "
        "`false` leaves it to calls.",
    )
    kinds: KindOptions = Field(default_factory=KindOptions)
    daily_tokens: int = Field(
        default=DAILY_TOKENS,
        ge=0,
        description="Most tokens that upkeep may use of models, per tenant and day (UTC). "
        "Beyond it, and with 0, what needs no model is still done.",
    )
    archive_below: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="Archive memories whose salience is below this: what is left of their "
        "importance, which fades in months unless they are recalled. What was told, recalled, "
        "confirmed or called useful within 90 days stays. None: only `retention.max_memories` "
        "archives.",
    )
    episode_attribution: Literal["merged", "per-agent"] = Field(
        default="per-agent",
        description="How a list of a user's episodes shows what the user did with several "
        "agents at a time: `per-agent` one for each, `merged` as one. No agent recalls those of "
        "another.",
    )
