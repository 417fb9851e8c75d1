"""What the gate says."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class GateReason(StrEnum):
    """Why memory is searched or not; the names are those of DESIGN's labels."""

    FACT = "fact"
    """Skip: a complete, impersonal question of general knowledge."""
    TOOL = "tool"
    """Skip: a tool answers it, or it transforms supplied text; everything is stated."""
    GREETING = "greeting"
    """Skip: nothing to answer."""
    EMPTY = "empty"
    """Skip: no text to search with."""
    PERSONAL = "personal"
    """Recall: the answer can depend on what this user said before."""
    DEFAULT = "default"
    """Recall: better done knowing the user, or simply unsure."""
    CONTINUATION = "continuation"
    """Recall, with the turn's own result: the last message is a tool's."""


_SKIPS = frozenset({GateReason.FACT, GateReason.TOOL, GateReason.GREETING, GateReason.EMPTY})


class GateVerdict(NamedTuple):
    """Whether to recall, and why."""

    recall: bool
    reason: GateReason

    @classmethod
    def of(cls, reason: GateReason) -> GateVerdict:
        """The verdict a reason stands for."""
        return cls(reason not in _SKIPS, reason)
