"""Options of retention."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ..model.options_base import ByKind, Days, Options
from ..model.types import MemoryType

_EVER = "None: forever."


class TtlOptions(ByKind):
    """Days after which a memory is forgotten, counted from when it was last said or written.

    None: forever.
    """

    semantic: Days = Field(default=None, description="Facts and preferences.")
    procedural: Days = Field(default=None, description="How something is done.")
    episodic: Days = Field(default=None, description="Events and episodes.")
    reflective: Days = Field(default=None, description="Conclusions.")

    def of(self, kind: MemoryType) -> float | None:
        """The days of one type."""
        days: float | None = getattr(self, kind.value)
        return days


class EraseOptions(ByKind):
    """Days after which memories are erased, counted from when they were put away so, or said."""

    archived: Days = Field(default=None, description="Archived.")
    quarantined: Days = Field(default=None, description="Quarantined, and validated by nobody.")
    superseded: Days = Field(default=None, description="Earlier versions and outdated ones.")
    turns: Days = Field(
        default=None,
        description="Texts of turns that were learned, or imported from other services; those that "
        "await learning, and those of dead jobs, are kept.",
    )


class RetentionOptions(Options):
    """What the upkeep archives and erases by itself. By default it erases nothing."""

    rows_per_run: ClassVar[int] = 5000
    """Memories that one run of the upkeep checks before it pauses."""

    ttl_days: TtlOptions = Field(default_factory=TtlOptions)
    max_memories: int | None = Field(
        default=20_000,
        ge=1,
        description="Most memories of one user, with quarantined ones and earlier versions. "
        "Beyond it they are archived: quarantined ones first, then earlier versions, then old "
        "and unimportant ones. Archived memories do not count, are not recalled, and can be "
        "restored.",
    )
    erase_days: EraseOptions = Field(default_factory=EraseOptions)
