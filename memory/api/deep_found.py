"""What a `deep_recall` found so far, and what of it is shown to a model or to the caller. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NotRequired

from typing_extensions import TypedDict

from ..calibration import Calibration
from ..model.types import MemoryItem
from ..recall.difficulty import SURE
from ..recall.queries import QueryHit
from .results import MemoryDict, memory_dict

LEAST = 0.1
"""The score below which a memory is not shown to the model, unless a chain has it."""
MOST_SHOWN = 24
"""Memories that are judged at a time."""
FIRST_SHOWN = 5
"""The best hits of the first search, which are in a result without grounds whatever their scores:
most questions that are asked in other words are answered by one of them, and not by a chain."""
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
    """By id, as the first search that found it scored it."""
    likely: dict[str, float] = field(default_factory=dict)
    """By id, the best score of any search, from `LEAST` on."""
    chained: tuple[str, ...] = ()
    """The ids of the memories that only together answer, best first."""
    grounds: tuple[str, ...] = ()
    """The ids that the last grade named."""
    searches: list[str] = field(default_factory=list)
    missing: str = ""
    hard: bool = False
    """Whether the question is more than a simple look-up."""
    calls: int = 0
    tokens: int = 0

    def add(self, hits: Sequence[QueryHit]) -> bool:
        """Note these. Returns whether any is shown now that was not."""
        before = len(self.likely)
        for hit in hits:
            name = hit.item.id
            self.hits.setdefault(name, hit)
            if hit.score >= LEAST:
                self.likely[name] = max(hit.score, self.likely.get(name, 0.0))
        return len(self.likely) > before

    @property
    def ranked(self) -> list[QueryHit]:
        """The surest of any search first."""
        return sorted(self.hits.values(), key=lambda hit: -self.likely.get(hit.item.id, hit.score))

    def shown(self) -> list[MemoryItem]:
        """What is judged next: what counted before, then what a chain has, then the surest."""
        likely = sorted(self.likely, key=lambda name: -self.likely[name])
        names = dict.fromkeys((*self.grounds, *self.chained, *likely))
        return [self.hits[name].item for name in [*names][:MOST_SHOWN]]

    def covers(self, calibration: Calibration) -> bool:
        """Whether the nearest memory is near enough for a question that something answers."""
        nearest = max((hit.similarity for hit in self.hits.values()), default=-1.0)
        return nearest - calibration.floor >= COVERED * calibration.spread

    def chosen(self) -> list[QueryHit]:
        """The memories of the result: what a model named, else what is sure or in a chain.

        Of a hard question also the first hits, which may answer by themselves.
        """
        if self.grounds:
            return [self.hits[name] for name in self.grounds]
        sure = [name for name, hit in self.hits.items() if hit.score >= SURE]
        first = [*self.hits][:FIRST_SHOWN] if self.hard else []
        names = dict.fromkeys((*sure, *first, *self.chained))
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
