"""Where memories are injected."""

from __future__ import annotations

from enum import StrEnum


class Position(StrEnum):
    """The place of injected messages.

    ``tail``: just before the last user message; a prompt cache stays valid up to the turn before.
    ``replay``: the same, and the blocks of earlier turns are put back, so each request begins with
    the previous one and a cache keeps all of it. ``start``: before everything, for chat templates
    that accept a system message only there; a cache is invalid when the memories change.
    """

    TAIL = "tail"
    REPLAY = "replay"
    START = "start"
