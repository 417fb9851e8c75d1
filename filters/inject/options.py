"""Where memories go."""

from __future__ import annotations

from enum import StrEnum


class Position(StrEnum):
    """Of the injected messages.

    ``tail`` is just before the last user message: everything before it stays as the client sent
    it, so a prompt cache keeps all but the turn before. ``replay`` is there too, and the blocks of
    earlier turns are put back where they were: each request begins with the one before, and a
    cache keeps all of it. ``start`` is before everything, for chat templates that accept a system
    message nowhere else: no cache keeps anything when the memories change.
    """

    TAIL = "tail"
    REPLAY = "replay"
    START = "start"
