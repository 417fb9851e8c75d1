"""Settings of the store that keeps nothing."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class InMemoryStoreOptions(BaseModel):
    """Memories live in this process and are gone when it ends. For tests and trials."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["inmemory"] = Field(
        default="inmemory", description="Keep memories in this process only."
    )
