"""Options of reflection."""

from __future__ import annotations

from pydantic import Field

from ...model.options_base import Options


class ReflectOptions(Options):
    """When conclusions are drawn."""

    enabled: bool = Field(
        default=False,
        description="Draw conclusions from episodes and facts by itself. Each cites what it "
        "follows from and is quarantined until the user says it or a person validates it.",
    )
    threshold: float = Field(
        default=15.0,
        gt=0,
        description="Draw conclusions once the importance (from 0 to 1 each) of the episodes of a "
        "scope since the last time adds up to this; of its facts if there are no episodes.",
    )
    max_per_day: int = Field(
        default=3,
        ge=0,
        description="Most times a day (UTC) that conclusions are drawn in a scope by itself. "
        "Calls are not counted.",
    )
