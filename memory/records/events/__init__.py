"""Tells programs about changes of memories, when they are written."""

from .feed import Feed, Subscription
from .texts import ChangeDict, ChangeTexts
from .told import Pending, ToldHistory, ToldStore

__all__ = [
    "ChangeDict",
    "ChangeTexts",
    "Feed",
    "Pending",
    "Subscription",
    "ToldHistory",
    "ToldStore",
]
