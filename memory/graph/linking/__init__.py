"""Links memories with whom and what they speak of, as they are written."""

from .graph import LOOK_SECONDS, Graph, RebuildReport
from .graphed_store import GraphedStore

__all__ = ["LOOK_SECONDS", "Graph", "GraphedStore", "RebuildReport"]
