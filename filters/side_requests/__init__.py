"""Tells requests that a chat client makes for itself: a title, tags, follow-ups, a summary."""

from .filter import LastTurns, SideRequests
from .shape import RequestShape
from .signs import Told
from .single_request import Likeness, is_own, may_be_own, never

__all__ = [
    "LastTurns",
    "Likeness",
    "RequestShape",
    "SideRequests",
    "Told",
    "is_own",
    "may_be_own",
    "never",
]
