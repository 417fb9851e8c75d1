"""What a `deep_recall` found so far, and what of it is shown to a model or to the caller. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NotRequired

from typing_extensions import TypedDict

from ..calibration import Calibration
from ..model.types import MemoryItem
from ..recall.lines import QueryHit, ReaderLines
from .results import MemoryDict, memory_dict

MOST_SHOWN = 24
"""Memories that are judged at a time."""
COVERED = 0.3
"""How near the nearest memory is to a question that is answered, in spreads of the embedder. All
questions of `chains.dev` are this near and 95 % of the direct ones of `persona.dev`, but half of
those in other words; 1 % of the questions of other persons, and two of three that the persons did
not tell. A higher one refuses what is asked in other words before what was never told."""


class DeepRecallDict(TypedDict):
    """The result of `deep_recall`."""

    results: list[MemoryDict]
    """The memories that an answer follows from; if it abstained, those that may be part of one."""
    abstained: bool
    """Whether nobody can say that they are enough: then say so, rather than guess."""
    reason: NotRequired[str]
    """Why it abstained: `no_memories`, `not_covered`, `nothing_new`, `out_of_rounds`,
    `out_of_tokens`, `out_of_time`, `unreadable_grade`, or the code of the model's failure."""
    missing: NotRequired[str]
    """What the model says is missing."""
    searches: list[str]
    """What was searched for, the question first."""
    calls: int
    """Of the model. None for a simple look-up, and without a model."""
    tokens: int


@dataclass(slots=True)
class DeepFound:
    """What was found so far, and what that took."""

    hits: dict[str, QueryHit] = field(default_factory=dict)
    """By id, as the search that was surest of it scored it."""
    given: dict[str, None] = field(default_factory=dict)
    """The ids of the lines of all searches, in their order."""
    newer: dict[str, tuple[QueryHit, ...]] = field(default_factory=dict)
    """By id, what is newer of its matter."""
    chained: tuple[str, ...] = ()
    """The ids of the memories that only together answer, best first."""
    grounds: tuple[str, ...] = ()
    """The ids that the last grade named."""
    searches: list[str] = field(default_factory=list)
    missing: str = ""
    calls: int = 0
    tokens: int = 0

    def add(self, lines: ReaderLines) -> bool:
        """Note what a search found. Returns whether any line of it is none of those before."""
        before = len(self.given)
        for hit in (*lines.ranked, *lines.given):
            self._note(hit)
        self.given |= dict.fromkeys(hit.item.id for hit in lines.given)
        self.newer |= lines.newer
        return len(self.given) > before

    def chain(self, hits: Sequence[QueryHit]) -> None:
        """Note which memories only together answer, each behind what is newer of its matter."""
        chained = ReaderLines(newer=self.newer).with_newer(hits)
        for hit in chained:
            self._note(hit)
        self.chained = tuple(hit.item.id for hit in chained)

    def _note(self, hit: QueryHit) -> None:
        known = self.hits.get(hit.item.id)
        if known is None or known.score < hit.score:
            self.hits[hit.item.id] = hit

    @property
    def ranked(self) -> list[QueryHit]:
        """The surest of any search first."""
        return sorted(self.hits.values(), key=lambda hit: -hit.score)

    def shown(self) -> list[MemoryItem]:
        """What is judged next: what counted before, then what a chain has, then the lines."""
        names = dict.fromkeys((*self.grounds, *self.chained, *self.given))
        return [self.hits[name].note for name in [*names][:MOST_SHOWN]]

    def covers(self, calibration: Calibration) -> bool:
        """Whether the nearest memory is near enough for a question that something answers."""
        nearest = max((hit.similarity for hit in self.hits.values()), default=-1.0)
        return nearest - calibration.floor >= COVERED * calibration.spread

    def chosen(self) -> list[QueryHit]:
        """The memories of the result: what a model named, else the lines and what is in a chain."""
        names = self.grounds or dict.fromkeys((*self.given, *self.chained))
        return [self.hits[name] for name in names]

    def result(self, reason: str | None) -> DeepRecallDict:
        """With the `reason` why it abstained; None if it did not."""
        shown = DeepRecallDict(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in self.chosen()],
            abstained=reason is not None,
            searches=self.searches,
            calls=self.calls,
            tokens=self.tokens,
        )
        if reason is not None:
            shown["reason"] = reason
            if self.missing:
                shown["missing"] = self.missing
        return shown
