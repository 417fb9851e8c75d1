"""Tells requests that a chat client makes for itself: a title, tags, follow-ups, a summary."""

from .filter import REASON, Aside, LastTurns

__all__ = ["REASON", "Aside", "LastTurns"]
