"""The memories: rows in the database, with a vector index beside them that can be thrown away."""

from .log import MemoryLog, prune_log
from .marks import SqlIndexMarks
from .searching import NamedIndex
from .store import SqlMemories, index_name, open_memories, walked
from .vectors import MemoryVectors

__all__ = [
    "MemoryLog",
    "MemoryVectors",
    "NamedIndex",
    "SqlIndexMarks",
    "SqlMemories",
    "index_name",
    "open_memories",
    "prune_log",
    "walked",
]
