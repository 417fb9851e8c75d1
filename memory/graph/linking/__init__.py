"""Links memories with whom and what they speak of, as they are written."""

from .graph import LOOK_SECONDS, Graph
from .graphed_store import GraphedStore
from .progress import RebuildReport

__all__ = ["LOOK_SECONDS", "Graph", "GraphedStore", "RebuildReport"]
