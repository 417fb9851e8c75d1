"""Options of consolidation."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ...model.options_base import Options
from .summaries import SummaryOptions


class ConsolidateOptions(Options):
    """How stored memories are consolidated."""

    compared_per_run: ClassVar[int] = 2000
    """Memories that one run compares with all others by meaning; the next run goes on."""
    asked_per_run: ClassVar[int] = 24
    """Memories that one run asks a model about: three calls."""
    archived_per_run: ClassVar[int] = 200

    summaries: SummaryOptions = Field(default_factory=SummaryOptions)
    archive_below: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="Archive memories whose salience is below this: what is left of their "
        "importance, which fades in months unless they are recalled. Archived memories are not "
        "recalled, and can be restored. None: only `retention.max_memories` archives, because "
        "nobody expects that what was told leaves recall while there is room. What was told, "
        "recalled, confirmed or called useful within 90 days stays.",
    )
