"""Tells of changes once they are in the database."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ...model.types import EventKind
from ..writing import WrittenChange

if TYPE_CHECKING:
    from .feed import Feed


class EventFollower:
    """Hands what the history tells of a change to the feed."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    async def committed(self, change: WrittenChange) -> None:
        """Nobody is told of what changed nothing."""
        records = [one for one in change.records if one.event is not EventKind.NONE]
        if records and self._feed.followed:
            self._feed.wrote(records, change.moment)

    async def uncertain(self, tenants: Collection[str]) -> None:
        """What may not be there is not told."""
