"""Putting recalled memories into the request."""

from .filter import Inject
from .options import Position
from .render import frame, strip_injected

__all__ = ["Inject", "Position", "frame", "strip_injected"]
