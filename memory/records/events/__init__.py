"""Tells programs about changes of memories, when they are written."""

from ..change_texts import ChangeDict, ChangeTexts
from .feed import Feed, Subscription

__all__ = ["ChangeDict", "ChangeTexts", "Feed", "Subscription"]
