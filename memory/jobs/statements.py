"""What learning tells those who recall what users said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ..learn import StillSaid
from ..model.types import MemoryItem, Scope


class StatementsOfTurns(Protocol):
    """What users said, as it is recalled. What is done again changes nothing."""

    async def leave(self, scope: Scope, still_said: Mapping[str, StillSaid]) -> None:
        """Leave in recall what no memory tells of these turns."""

    async def release(self, items: Sequence[MemoryItem]) -> None:
        """Take out what memories say that were held back and are believed now."""


class NothingSaid:
    """Nothing is recalled of what was said."""

    async def leave(self, scope: Scope, still_said: Mapping[str, StillSaid]) -> None:
        del scope, still_said

    async def release(self, items: Sequence[MemoryItem]) -> None:
        del items
