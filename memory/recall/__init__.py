"""The request side of the engine: finds the memories that matter for a query."""

from .choosing import NO_WISH
from .driver import Recaller
from .explain import Explanation
from .index import HotIndexes, IndexedStore
from .index.shelf import is_passage
from .instructions import orders
from .options import RecallOptions
from .query import Query
from .rank import Ranked
from .select import Drop, Selection, Shown

__all__ = [
    "NO_WISH",
    "Drop",
    "Explanation",
    "HotIndexes",
    "IndexedStore",
    "Query",
    "Ranked",
    "RecallOptions",
    "Recaller",
    "Selection",
    "Shown",
    "is_passage",
    "orders",
]
