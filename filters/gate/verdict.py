"""The gate's verdict."""

from __future__ import annotations

from enum import StrEnum


class GateReason(StrEnum):
    """Why memory is searched or skipped. The names are the evaluation set's labels."""

    FACT = "fact"
    """Skip: a complete, impersonal question of general knowledge."""
    TOOL = "tool"
    """Skip all but procedures: a tool answers it, or it transforms supplied text; everything is
    stated."""
    GREETING = "greeting"
    """Skip: nothing to answer."""
    EMPTY = "empty"
    """Skip: no text to search with."""
    PERSONAL = "personal"
    """Recall: the answer can depend on what this user said before."""
    DEFAULT = "default"
    """Recall: memory helps, or the gate is unsure."""
    CONTINUATION = "continuation"
    """Recall the turn's own result: the last message is a tool's."""

    @property
    def recall(self) -> bool:
        """Whether memory is searched."""
        return self in {self.PERSONAL, self.DEFAULT, self.CONTINUATION}
