"""Injects recalled memories into the request."""

from .block import Fence, frame
from .options import Position

__all__ = ["Fence", "Position", "frame"]
