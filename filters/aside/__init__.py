"""Tells requests that a chat client makes for itself: a title, tags, follow-ups, a summary."""

from .alone import Likeness, is_own, may_be_own, never
from .filter import REASON, Aside, LastTurns
from .shape import RequestShape
from .signs import Told

__all__ = [
    "REASON",
    "Aside",
    "LastTurns",
    "Likeness",
    "RequestShape",
    "Told",
    "is_own",
    "may_be_own",
    "never",
]
