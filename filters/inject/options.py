"""Where memories are injected."""

from __future__ import annotations

from enum import StrEnum


class Position(StrEnum):
    """The wanted place of memories; a place that the model server refuses is left for another.

    ``auto``: the best place that the server is known to take, else ``user``. ``user``, ``tail`` and
    ``start`` are those of `exchange.Place`. ``replay``: as ``auto``, and the blocks of earlier
    turns are put back, so each request begins with the previous one and a cache keeps all of it.
    """

    AUTO = "auto"
    USER = "user"
    TAIL = "tail"
    REPLAY = "replay"
    START = "start"
