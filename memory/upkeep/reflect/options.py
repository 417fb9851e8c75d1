"""Options of reflection."""

from __future__ import annotations

from pydantic import Field

from ...model.strict import Options


class ReflectOptions(Options):
    """When conclusions are drawn."""

    enabled: bool = Field(
        default=False,
        description="Draw conclusions from episodes and facts. They wait for confirmation.",
    )
