"""The request side of the engine: what matters about this user, for this query."""

from .driver import Recaller
from .options import RecallOptions
from .select import Drop, Selection, select

__all__ = ["Drop", "RecallOptions", "Recaller", "Selection", "select"]
