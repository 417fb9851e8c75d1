"""What every request would say again is written now and then, with how often it was said."""

from __future__ import annotations

import copy
import logging
from typing import TextIO

from recollect.memory.util.lru import Lru

QUIET_SECONDS = 10.0
MOST_TEXTS = 256


class FewerLines(logging.StreamHandler[TextIO]):
    """Writes to standard error; a warning of the same text at most once in `QUIET_SECONDS`.

    The next one says how often it came since. Errors with a traceback, and what is said for
    information, are written always. A handler's own lock guards what it keeps.
    """

    def __init__(self) -> None:
        super().__init__()
        self._written: Lru[tuple[str, str], tuple[float, int]] = Lru(MOST_TEXTS)
        """When a text was written last, in seconds since 1970, and how often it was left out."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno != logging.WARNING or record.exc_info:
            super().emit(record)
            return
        key = (record.name, record.getMessage())
        written, left_out = self._written.get(key) or (0.0, 0)
        if 0 <= record.created - written < QUIET_SECONDS:
            self._written.put(key, (written, left_out + 1))
            return
        self._written.put(key, (record.created, 0))
        super().emit(_with_count(record, left_out) if left_out else record)


def _with_count(record: logging.LogRecord, left_out: int) -> logging.LogRecord:
    """A copy: other handlers get the record as it was."""
    told = copy.copy(record)
    told.msg, told.args = f"{record.getMessage()} ({left_out + 1} times since the last line)", ()
    return told
