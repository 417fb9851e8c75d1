"""Injects recalled memories into the request."""

from .fence import Fence, frame
from .filter import Inject
from .options import Position

__all__ = ["Fence", "Inject", "Position", "frame"]
