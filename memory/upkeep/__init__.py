"""Maintenance of stored data, for commands: calibrate, reindex and repair."""

from .calibrate import measure
from .fitting import refit
from .reindexing import Reindexed, count, reindex
from .repair import Found, look_at, mend

__all__ = ["Found", "Reindexed", "count", "look_at", "measure", "mend", "refit", "reindex"]
