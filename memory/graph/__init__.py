"""The graph: who and what memories speak of, and how these are connected."""

from .linking import LOOK_SECONDS, Graph
from .naming import EntityFinder, answering, called, key_of
from .options import GraphOptions
from .reading import USER_NAME, description_in, key_of_kind, kind_told

__all__ = [
    "LOOK_SECONDS",
    "USER_NAME",
    "EntityFinder",
    "Graph",
    "GraphOptions",
    "answering",
    "called",
    "description_in",
    "key_of",
    "key_of_kind",
    "kind_told",
]
