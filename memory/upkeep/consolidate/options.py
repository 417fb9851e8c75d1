"""Options of consolidation."""

from __future__ import annotations

from pydantic import Field

from .schedule import ScheduleOptions


class ConsolidateOptions(ScheduleOptions):
    """When and how stored memories are consolidated."""

    enabled: bool = Field(default=True, description="Consolidate by itself.")
