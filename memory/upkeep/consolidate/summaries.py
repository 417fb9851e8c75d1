"""Options of topic summaries."""

from __future__ import annotations

from pydantic import Field

from ...model.options_base import Options


class SummaryOptions(Options):
    """Memories of one topic become one summary that cites them."""

    enabled: bool = Field(
        default=False,
        description="With a model, memories of one topic are condensed into one summary that cites "
        "them; what it covers is archived for it, and comes back with an undo. It shortens lists. "
        "Off, because a summary is recalled whole: for the same tokens, chats get fewer of the "
        "memories that answer.",
    )
    min_sources: int = Field(
        default=4,
        ge=2,
        le=20,
        description="Least memories of one topic. A summary of fewer than three is not made.",
    )
    max_sources: int = Field(
        default=10, ge=2, le=30, description="Most memories that one summary stands on."
    )
    min_age_days: float = Field(
        default=7.0,
        ge=0,
        le=3650,
        description="Younger memories are left as they are: they are still being added to.",
    )
    topics_per_run: int = Field(
        default=4, ge=1, le=100, description="Most topics of a run, with one call of a model each."
    )
    max_tokens: int = Field(
        default=800, ge=100, le=8000, description="Most tokens of the answer about a topic."
    )
