"""Options of the gate."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class GateOptions(BaseModel):
    """Options of the gate, which skips messages that need no memory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True, description="`false` recalls for every message that is not empty."
    )
