"""Where memories go."""

from __future__ import annotations

from enum import StrEnum


class Position(StrEnum):
    """Of the injected message.

    ``tail`` is just before the last user message: everything before it stays as it was, so the
    provider's prompt cache keeps its prefix. ``start`` is before everything, for chat templates
    that accept a system message nowhere else.
    """

    TAIL = "tail"
    START = "start"
