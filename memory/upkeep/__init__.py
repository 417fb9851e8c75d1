"""Work on what is stored, off every request's path."""

from .calibrate import measure
from .reindex import Reindexed, count, reindex

__all__ = ["Reindexed", "count", "measure", "reindex"]
