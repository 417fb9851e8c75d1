"""The lines of a question: the one selection that every reader of memory is given. Pure.

Chats, answers, tools and explanations differ in how many lines they take, and in what they need of
each. Which lines these are, and their order, is decided here and in `selection` for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..model.types import MemoryItem
from ..query import Predicate
from .options import RecallOptions
from .profile import Role
from .ranking import Ranked
from .retrieval import RetrievedLines
from .selection import NO_WISH, Selection, as_it_is, choose, replaced

NO_BUDGET = 10**9
"""Tokens of a reader that is bounded by the number of lines."""
RANKED = 100
"""Memories that are ranked for a reader: all that may bear on a question at all."""
_STEPS = 10_000
"""Of a score, which is rounded down: nothing is certain, so no score is 1."""
_PINNED = frozenset({Role.CONSTRAINT.value, Role.PROFILE.value})


@dataclass(frozen=True, slots=True)
class QueryHit:
    """A memory that a search found, or a line of a question."""

    item: MemoryItem
    """The whole memory."""
    score: float
    """How probable it is that it bears on the question, from 0 to 1 (`recall.evidence`)."""
    similarity: float
    """The cosine similarity to the query."""
    unfit: bool = False
    """Whether it is an instruction that nobody validated: it is read as hearsay."""

    @classmethod
    def of(cls, hit: Ranked, item: MemoryItem | None = None) -> QueryHit:
        """`item` is what is shown in its place."""
        # What a better hit leads to is as right as that makes it.
        score = math.floor(max(hit.evidence, hit.right) * _STEPS) / _STEPS
        return cls(item or hit.item, score, hit.cosine)

    @classmethod
    def least(
        cls, hits: Sequence[Ranked], items: Mapping[str, MemoryItem], threshold: float | None
    ) -> list[QueryHit]:
        """Those with a score of at least `threshold`; `items` by id are shown in their place."""
        likely = [max(hit.right, hit.evidence) for hit in hits]
        scores = (np.floor(np.array(likely) * _STEPS) / _STEPS).tolist()
        return [
            cls(items.get(hit.item.id, hit.item) if items else hit.item, score, hit.cosine)
            for hit, score in zip(hits, scores, strict=True)
            if threshold is None or score >= threshold
        ]

    @property
    def note(self) -> MemoryItem:
        """The memory for a model, which is told by its flags if it is no wish."""
        if not self.unfit:
            return self.item
        origin = self.item.provenance
        return replace(self.item, provenance=replace(origin, flags=(*origin.flags, NO_WISH)))


@dataclass(frozen=True, slots=True)
class LineBounds:
    """The bounds of one reader."""

    limit: int
    """Most lines."""
    threshold: float | None = None
    """Least probability of a line; None: `recall.threshold`."""

    def options(self, options: RecallOptions) -> RecallOptions:
        """The options of a recall within these bounds.

        Wishes say how a chat is to be answered, and are no lines of a question.
        """
        return options.model_copy(
            update={
                "limit": self.limit,
                "token_budget": NO_BUDGET,
                "threshold": options.threshold if self.threshold is None else self.threshold,
                "profile": options.profile.model_copy(update={"wishes": False}),
            }
        )


@dataclass(frozen=True, slots=True)
class ReaderLines:
    """The lines that a reader is given for a question."""

    given: tuple[QueryHit, ...] = ()
    """The lines: what answers, best first, the newest of a matter before the older ones; then
    constraints. Of a question about the user, their profile."""
    ranked: tuple[QueryHit, ...] = ()
    """All that was ranked and may be shown, best first, whether it bears on the question or not:
    for readers that join memories."""
    newer: Mapping[str, tuple[QueryHit, ...]] = field(default_factory=dict)
    """By the id of a ranked memory, what is newer of its matter."""

    def showing(self, items: Mapping[str, MemoryItem]) -> ReaderLines:
        """The same with these in place of the memories with their ids."""

        def shown(hits: Iterable[QueryHit]) -> tuple[QueryHit, ...]:
            return tuple(replace(hit, item=items.get(hit.item.id, hit.item)) for hit in hits)

        newer = {name: shown(hits) for name, hits in self.newer.items()}
        return ReaderLines(shown(self.given), shown(self.ranked), newer)

    def with_newer(self, hits: Iterable[QueryHit]) -> list[QueryHit]:
        """These hits, each behind what is newer of its matter: no older one stands alone."""
        each = (one for hit in hits for one in (*self.newer.get(hit.item.id, ()), hit))
        return list({one.item.id: one for one in each}.values())


def selected(
    found: RetrievedLines,
    options: RecallOptions,
    *,
    reserve_tokens: int,
    visible: frozenset[str],
    searched: frozenset[str],
    show: Callable[[MemoryItem], object],
    count_tokens: Callable[[str], int],
) -> Selection:
    """What is chosen of what was found, the newest of each matter first; see `choose`."""
    chosen = choose(
        found,
        options,
        reserve_tokens=reserve_tokens,
        visible=visible,
        searched=searched,
        show=show,  # type: ignore[arg-type]
        count_tokens=count_tokens,
    )
    return replace(chosen, chosen=newest_first(chosen.chosen))


def newest_first(hits: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """The hits in their order, but those of one matter by their age: the newest stands first."""
    names = _Matters(hit.item for hit in hits)
    places: dict[str, list[int]] = {}
    for at, hit in enumerate(hits):
        places.setdefault(names.of(hit.item), []).append(at)
    if len(places) == len(hits):
        return tuple(hits)
    ordered = list(hits)
    for there in places.values():
        by_age = sorted((hits[at] for at in there), key=_told, reverse=True)
        for at, hit in zip(there, by_age, strict=True):
            ordered[at] = hit
    return tuple(ordered)


class _Matters:
    """Memories that are linked as one matter."""

    def __init__(self, items: Iterable[MemoryItem]) -> None:
        self._parents: dict[str, str] = {}
        for item in items:
            origin = item.provenance
            for name in (origin.matter, origin.superseded_by):
                if name is not None:
                    self._parents[self._root(item.id)] = self._root(name)

    def of(self, item: MemoryItem) -> str:
        return self._root(item.id)

    def _root(self, name: str) -> str:
        while (parent := self._parents.get(name, name)) != name:
            name = parent
        return name


def _told(hit: Ranked) -> tuple[float, int]:
    item = hit.item
    began = item.valid_from or item.created_at
    return began.timestamp(), item.provenance.sequence


def lines_of(
    found: RetrievedLines, options: RecallOptions, *, visible: frozenset[str] = frozenset()
) -> ReaderLines:
    """The lines that a reader with these options (`LineBounds.options`) is given."""
    chosen = selected(
        found,
        options,
        reserve_tokens=0,
        visible=visible,
        searched=frozenset(),
        show=as_it_is,
        count_tokens=lambda _: 0,
    ).chosen
    told = {hit.item.id: hit for hit in found.ranking.ranked}
    later = found.related.later
    whole = {hit.item.id: hit.item for hits in later.values() for hit in hits}
    whole |= {name: hit.item for name, hit in told.items()} | dict(found.whole)
    barred = {*replaced(found.ranking.ranked, found.contradicted), *found.unsafe, *found.withheld}

    def shown(hit: Ranked) -> QueryHit:
        name = hit.item.id
        made = QueryHit.of(told.get(name, hit), whole.get(name))
        return replace(made, unfit=True) if name in found.unfit else made

    def shown_of(hits: Iterable[Ranked]) -> tuple[QueryHit, ...]:
        return tuple(shown(hit) for hit in hits if hit.item.id not in barred)

    def is_beside(hit: Ranked) -> bool:
        own = told.get(hit.item.id)
        return hit.role in _PINNED and (own is None or not own.relevant)

    in_order = newest_first(sorted(chosen, key=is_beside))
    return ReaderLines(
        tuple(map(shown, in_order))[: options.limit],
        shown_of(found.ranking.ranked),
        {name: shown_of(hits) for name, hits in later.items()},
    )


def admitting(found: RetrievedLines, admits: Predicate | None) -> RetrievedLines:
    """What was found, without what does not pass: a ranking was compared with it before."""
    if admits is None:
        return found
    later = {
        name: tuple(hit for hit in hits if admits(hit.item))
        for name, hits in found.related.later.items()
    }
    pinned = tuple(hit for hit in found.pinned.chosen if admits(hit.item))
    return replace(
        found,
        related=replace(found.related, later=later),
        pinned=replace(found.pinned, chosen=pinned),
    )
