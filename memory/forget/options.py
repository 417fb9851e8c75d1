"""What is kept, and for how long."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ..types import MemoryType

_EVER = "None: for ever."


class TtlOptions(BaseModel):
    """Days after which a memory is forgotten, from when it was last said or written down."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    semantic: float | None = Field(
        default=None, gt=0, description=f"Facts and preferences. {_EVER}"
    )
    procedural: float | None = Field(
        default=None, gt=0, description=f"How something is done. {_EVER}"
    )
    episodic: float | None = Field(
        default=None, gt=0, description=f"What happened, and summaries of sessions. {_EVER}"
    )
    reflective: float | None = Field(
        default=None, gt=0, description=f"What was concluded from other memories. {_EVER}"
    )

    def of(self, kind: MemoryType) -> float | None:
        """The days of one type."""
        days: float | None = getattr(self, kind.value)
        return days


class RetentionOptions(BaseModel):
    """What is forgotten without being asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ttl_days: TtlOptions = Field(default_factory=TtlOptions)
    max_memories: int | None = Field(
        default=20_000,
        ge=1,
        description="Memories of one user, those in quarantine and earlier versions included. "
        "Beyond it those that matter least are archived: quarantined ones first, then earlier "
        "versions, then what was long not needed and is unimportant. None: no bound.",
    )
    archive_days: float | None = Field(
        default=30.0,
        gt=0,
        description="How long an archived memory is kept before it is erased. " + _EVER,
    )
    quarantine_days: float | None = Field(
        default=90.0,
        gt=0,
        description="How long a quarantined memory waits for somebody to look into it before it is "
        "erased. " + _EVER,
    )
    superseded_days: float | None = Field(
        default=None,
        gt=0,
        description="How long an earlier version, or what is no longer true, is kept. " + _EVER,
    )
    rows_per_run: int = Field(
        default=5000,
        ge=100,
        description="Memories that one run of the upkeep looks at before it makes a pause.",
    )
