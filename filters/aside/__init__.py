"""Tells requests that a chat client makes for itself: a title, tags, follow-ups, a summary."""

from .filter import REASON, Aside
from .recent import Recent

__all__ = ["REASON", "Aside", "Recent"]
