"""Links memories with whom and what they speak of, as they are written."""

from .graph import LOOK_SECONDS, Graph
from .progress import RebuildReport

__all__ = ["LOOK_SECONDS", "Graph", "RebuildReport"]
