"""Options of episodes."""

from __future__ import annotations

from pydantic import Field

from ...model.strict import Options


class EpisodeOptions(Options):
    """How stretches of conversation become episodes."""

    enabled: bool = Field(
        default=True, description="Keep an episode of each stretch of conversation."
    )
