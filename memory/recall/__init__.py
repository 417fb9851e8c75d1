"""The request side of the engine: finds the memories that matter for a query."""

from .client_requests import ClientRequests
from .explanation import Explanation
from .fusion_weights import FusionDict, tuned
from .index import HotIndexes
from .index.entry import PASTED
from .options import RecallOptions, hops_of
from .profile import Role
from .query import Query
from .ranking import Ranked
from .recaller import Recaller
from .selection import NO_WISH, Drop, Selection, Shown
from .shared_memories import SharedMemoryReader
from .traits import orders
from .withholding import Withholding

__all__ = [
    "NO_WISH",
    "PASTED",
    "ClientRequests",
    "Drop",
    "Explanation",
    "FusionDict",
    "HotIndexes",
    "Query",
    "Ranked",
    "RecallOptions",
    "Recaller",
    "Role",
    "Selection",
    "SharedMemoryReader",
    "Shown",
    "Withholding",
    "hops_of",
    "orders",
    "tuned",
]
