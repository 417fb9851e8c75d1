"""Options of consolidation."""

from __future__ import annotations

from pydantic import Field

from ...model.strict import Options


class ConsolidateOptions(Options):
    """When and how stored memories are consolidated."""

    enabled: bool = Field(default=True, description="Consolidate by itself.")
