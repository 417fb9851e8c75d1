"""The graph: who and what memories speak of, and how these are connected."""

from .naming import EntityFinder, NamedGraph, answering, called, key_of
from .options import GraphOptions
from .reading import USER_NAME

__all__ = [
    "USER_NAME",
    "EntityFinder",
    "GraphOptions",
    "NamedGraph",
    "answering",
    "called",
    "key_of",
]
