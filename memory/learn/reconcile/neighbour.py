"""A memory that a candidate is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ...model.types import MemoryType, ScoredMemory


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory near the candidate; `score` is their cosine similarity."""

    id: str
    text: str
    type: MemoryType
    score: float
    created_at: datetime | None = None
    """When it was said; None if unknown."""
    matter: str = ""
    """The group that it belongs to; empty for its own id."""
    turn_ids: Sequence[str] = ()
    """The turns that say it."""

    @property
    def group(self) -> str:
        """The id that it shares with all memories of the same matter."""
        return self.matter or self.id

    def is_newer_than(self, at: datetime | None) -> bool:
        """Whether it was said after `at`; false if either time is unknown."""
        return at is not None and self.created_at is not None and at < self.created_at

    @classmethod
    def of(cls, hit: ScoredMemory) -> Neighbour:
        """A search hit as a neighbour."""
        item = hit.item
        return cls(
            id=item.id,
            text=item.text,
            type=item.type,
            score=hit.score,
            created_at=item.valid_from or item.created_at,
            matter=item.provenance.matter or "",
            turn_ids=item.provenance.turn_ids,
        )
