"""The graph: who and what memories speak of, and how these are connected."""

from .naming import EntityFinder, NamedGraph, answering, called, key_of
from .options import GraphOptions

__all__ = ["EntityFinder", "GraphOptions", "NamedGraph", "answering", "called", "key_of"]
