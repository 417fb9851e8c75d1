"""Options of consolidation."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from .schedule import ScheduleOptions
from .summaries import SummaryOptions


class ConsolidateOptions(ScheduleOptions):
    """When and how stored memories are consolidated."""

    compared_per_run: ClassVar[int] = 2000
    """Memories that one run compares with all others by meaning; the next run goes on."""
    asked_per_run: ClassVar[int] = 24
    """Memories that one run asks a model about: three calls."""
    archived_per_run: ClassVar[int] = 200

    enabled: bool = Field(default=True, description="Consolidate by itself.")
    duplicates: bool = Field(
        default=True,
        description="End memories that another one says in the same words, or in words that mean "
        "the same. They are kept as superseded, and can be restored. What is in doubt is asked of "
        "a model, and stays without one.",
    )
    summaries: SummaryOptions = Field(default_factory=SummaryOptions)
    archive_below: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="Archive memories whose salience is below this: what is left of their "
        "importance, which fades in months unless they are recalled. Archived memories are not "
        "recalled, and can be restored. None: only `retention.max_memories` archives, because "
        "nobody expects that what was told leaves recall while there is room.",
    )
    archive_unused_days: float = Field(
        default=90.0,
        gt=0,
        description="Days in which a memory that is archived so must not have been told, recalled, "
        "confirmed or called useful.",
    )
