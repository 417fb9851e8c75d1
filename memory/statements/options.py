"""Options of what is said."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ..model.options_base import Options


class SaidOptions(Options):
    """What users said is recalled at once, until extraction has made memories of it."""

    max_tokens: ClassVar[int] = 64_000
    """Of each user, the newest turns up to so many tokens are recalled; older ones stay on disk."""

    enabled: bool = Field(
        default=True,
        description="`false`: a turn is recalled only once something was learned from it.",
    )
    max_days: float = Field(
        default=365, gt=0, description="Days for which a turn is recalled that is no memory yet."
    )
