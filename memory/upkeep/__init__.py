"""Work on what is stored, off every request's path."""

from .calibrate import measure
from .reindex import Reindexed, count, reindex
from .repair import Found, look_at, mend

__all__ = ["Found", "Reindexed", "count", "look_at", "measure", "mend", "reindex"]
