"""The graph: who and what memories speak of, and how these are connected."""

from .options import GraphOptions

__all__ = ["GraphOptions"]
