"""Collects the findings of a run: no memory ends twice, and none that stays. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...model.types import MemoryItem
from .duplicates import JUDGED, Merge, merge_of
from .neighbours import Near
from .rows import ScopeRows


@dataclass(frozen=True, slots=True)
class Question:
    """A memory, and those before it that may say the same."""

    number: int
    """Its place among the rows."""
    item: MemoryItem
    others: Sequence[tuple[MemoryItem, float]]
    """With their cosines, the nearest first."""


@dataclass(slots=True)
class Findings:
    """The merges of a run."""

    rows: ScopeRows
    merges: list[Merge] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)
    stays: set[str] = field(default_factory=set)

    def add(self, merges: Iterable[Merge]) -> int:
        """Keep those that clash with none before; returns how many."""
        before = len(self.merges)
        for merge in merges:
            ends, stays = merge.ends.id, merge.stays.id
            if ends in self.ended | self.stays | self.rows.held or stays in self.ended:
                continue
            self.merges.append(merge)
            self.ended.add(ends)
            self.stays.add(stays)
        return len(self.merges) - before

    def questions(self, near: Iterable[Near]) -> list[Question]:
        """What a model is to be asked: only what would be merged if it said so."""
        asked: dict[int, list[tuple[MemoryItem, float]]] = {}
        for pair in near:
            item, other = (self.rows.memories[number].item for number in (pair.row, pair.other))
            open_ = self.ended.isdisjoint((item.id, other.id)) and not _were_compared(item, other)
            if open_ and merge_of(item, other, JUDGED) is not None:
                asked.setdefault(pair.row, []).append((other, pair.cosine))
        items = self.rows.memories
        return [Question(number, items[number].item, asked[number]) for number in sorted(asked)]


def _were_compared(one: MemoryItem, other: MemoryItem) -> bool:
    """Whether a model told them apart before, or is to (`Provenance.pending`)."""
    mine, theirs = (item.provenance.matter for item in (one, other))
    return mine is not None and mine == theirs
