"""Tells programs about changes of memories, when they are written."""

from .emitting import EventFollower
from .feed import Feed, Subscription
from .spreading import spread_of
from .texts import ChangeDict, ChangeTexts

__all__ = [
    "ChangeDict",
    "ChangeTexts",
    "EventFollower",
    "Feed",
    "Subscription",
    "spread_of",
]
