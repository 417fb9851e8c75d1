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
