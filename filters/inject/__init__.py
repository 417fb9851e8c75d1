"""Injects recalled memories into the request."""

from recollect.memory.blocks import Fence, frame

from .options import Position

__all__ = ["Fence", "Position", "frame"]
