"""What of the gate can be configured."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class GateOptions(BaseModel):
    """Whether messages that need no memory are told apart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True,
        description="`false` recalls for every message that is not empty.",
    )
