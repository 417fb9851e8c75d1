"""Options of episodes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ...model.options_base import Options


class EpisodeOptions(Options):
    """How stretches of conversation become episodes."""

    enabled: bool = Field(
        default=True,
        description="Keep one episodic memory of each stretch of conversation. It needs a model; "
        "without one the stretches wait until one answers.",
    )
    attribution: Literal["merged", "per-agent"] = Field(
        default="per-agent",
        description="How a list or a search of a user's episodes shows what the user did with "
        "several agents at a time: `per-agent` one for each agent, `merged` as one. Each agent's "
        "is kept in its own scope in both, so that another agent recalls nothing of it.",
    )
