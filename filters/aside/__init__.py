"""Tells requests that a chat client makes for itself: a title, tags, follow-ups, a summary."""

from .alone import Likeness, is_own, never
from .filter import REASON, Aside, LastTurns
from .signs import Told

__all__ = ["REASON", "Aside", "LastTurns", "Likeness", "Told", "is_own", "never"]
