"""Tells programs about changes of memories, when they are written."""

from .emitting import EventEmittingHistory, EventEmittingStore, PendingEvents
from .feed import Feed, Subscription
from .spreading import spread_of
from .texts import ChangeDict, ChangeTexts

__all__ = [
    "ChangeDict",
    "ChangeTexts",
    "EventEmittingHistory",
    "EventEmittingStore",
    "Feed",
    "PendingEvents",
    "Subscription",
    "spread_of",
]
