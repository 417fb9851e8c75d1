"""How much is recalled."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class RecallOptions(BaseModel):
    """Bounds of one recall."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(default=5, ge=1, le=100, description="Most memories that are recalled.")
    token_budget: int = Field(
        default=512, ge=16, le=32_000, description="Most tokens the injected message may have."
    )
    threshold: float | None = Field(
        default=None,
        ge=-1,
        le=1,
        description="Least cosine similarity of a recalled memory; if not set, the value measured "
        "for the embedder in use.",
    )
