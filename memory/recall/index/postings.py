"""The inverted index: positions and frequencies by term, with neighbours and sessions. Pure."""

from __future__ import annotations

from array import array
from collections.abc import KeysView, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NONE = -1
SAME_SESSION_SECONDS = 1800.0
"""Memories without a known conversation belong to one session until a longer pause. Half an hour
is the usual session length of web analytics."""


@dataclass(frozen=True, slots=True)
class Links:
    """Neighbours and sessions of n memories."""

    neighbours: dict[int, Ints]
    """By distance (1 the next, -1 the one before, 2, -2): ``int64[n]``, or `NONE`."""
    session: Ints
    """``int64[n]``: number of the session, from 0."""
    sessions: int

    @classmethod
    def of(cls, owner: Ints, conversation: Ints, moment: Floats, sequence: Ints) -> Self:
        """The links of n memories, from ``[n]`` arrays.

        `owner` numbers scopes; memories of two scopes are never neighbours. `conversation` numbers
        conversations, `NONE` if unknown. `moment` is in seconds; `sequence` orders memories of one
        moment.
        """
        n = len(owner)
        if not n:
            return cls(dict.fromkeys((1, -1, 2, -2), np.empty(0, np.int64)), owner, 0)
        order = np.lexsort((sequence, moment, conversation, owner))
        one, other = order[:-1], order[1:]
        together = (owner[one] == owner[other]) & _one_session(
            conversation[one], conversation[other], moment[other] - moment[one]
        )
        before, after = np.full(n, NONE), np.full(n, NONE)
        before[other[together]] = one[together]
        after[one[together]] = other[together]
        session = np.empty(n, np.int64)
        session[order] = np.concatenate(([0], np.cumsum(~together)))
        neighbours = {1: after, -1: before, 2: _twice(after), -2: _twice(before)}
        return cls(neighbours, session, int(session.max()) + 1)

    def spread(self, positions: Ints, n: int) -> Links:
        """These links among n memories, at the given positions.

        The other memories have no neighbours. They belong to session 0 and must have no terms.
        """
        neighbours = {}
        for distance, links in self.neighbours.items():
            neighbours[distance] = np.full(n, NONE)
            neighbours[distance][positions] = np.where(links == NONE, NONE, positions[links])
        session = np.zeros(n, np.int64)
        session[positions] = self.session
        return Links(neighbours, session, max(self.sessions, min(n, 1)))

    def at(self, distance: int) -> Ints:
        """``int64[n]``: the memory this many places after (negative: before) each."""
        return self.neighbours[distance]


def taken_from(values: Floats, links: Ints) -> Floats:
    """``float64[n]``: the value of each memory's linked memory, 0 without a link."""
    return np.where(links == NONE, 0.0, values[links]) if len(values) else values


def _one_session(one: Ints, other: Ints, gap: Floats) -> npt.NDArray[np.bool_]:
    together: npt.NDArray[np.bool_] = (one == other) & (
        (one != NONE) | (gap <= SAME_SESSION_SECONDS)
    )
    return together


def _twice(step: Ints) -> Ints:
    return np.where(step == NONE, NONE, step[step])


Counts = npt.NDArray[np.float64]

NEIGHBOURS = ((1, 0.6), (-1, 0.4), (2, 0.3), (-2, 0.2))
"""Distance and weight: a word also counts for the memories one or two places after (negative:
before) the memory that holds it."""
_OF_REMOVED = 256
"""Numbers of memories that were removed since: in a small index, most may be of these."""
_TERM_BYTES = 260
"""Size of a term: dictionary entry, array and string."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Counts of a query's terms by document; most documents have none of them."""

    at: Ints
    """The k documents that have any term, in order."""
    counts: Counts
    """``float64[terms, k]``."""

    @classmethod
    def of(cls, term: Ints, document: Ints, count: Counts, terms: int, documents: int) -> Self:
        """The sum of the counts of each term in each document."""
        there = np.zeros(documents, np.bool_)
        there[document] = True
        at = there.nonzero()[0]
        # Counting up to each is cheaper than searching for it.
        place = term * len(at) + (there.cumsum() - 1)[document]
        summed = np.bincount(place, count, terms * len(at))
        return cls(at, np.asarray(summed, np.float64).reshape(terms, len(at)))


@dataclass(frozen=True, slots=True)
class Matches:
    """Occurrences of a query's terms: three arrays with one item for each term and memory."""

    term: Ints
    position: Ints
    count: Counts
    terms: int
    """Number of terms in the query."""

    def held(self, weights: Counts, n: int) -> Counts:
        """``float64[n]``: the weight of the terms that each memory holds."""
        return np.asarray(np.bincount(self.position, weights[self.term], n), np.float64)

    def frequencies(self) -> Ints:
        """``int64[terms]``: how many memories hold each term."""
        return np.bincount(self.term, minlength=self.terms)

    def spread(self, links: Links, n: int, strength: float) -> TermCounts:
        """How often each of n memories has each term.

        Words of neighbours count `strength` times their weight in `NEIGHBOURS`.
        """
        terms, positions, counts = [self.term], [self.position], [self.count]
        for distance, weight in NEIGHBOURS if strength else ():
            other = links.at(distance)[self.position]
            there = other != NONE
            terms.append(self.term[there])
            positions.append(other[there])
            counts.append(self.count[there] * (strength * weight))
        return TermCounts.of(
            np.concatenate(terms), np.concatenate(positions), np.concatenate(counts), self.terms, n
        )

    def by_session(self, links: Links) -> TermCounts:
        """How often each session holds each term."""
        sessions = links.session[self.position]
        return TermCounts.of(self.term, sessions, self.count, self.terms, links.sessions)


class Postings:
    """Positions and frequencies by term."""

    def __init__(self) -> None:
        self._by_term: dict[str, array[int]] = {}
        """Alternating positions and frequencies."""
        self._pairs = 0

    def add(self, position: int, terms: Sequence[str], counts: Sequence[int]) -> None:
        """Index the memory at this position."""
        by_term = self._by_term
        for term, count in zip(terms, counts, strict=True):
            if term in by_term:
                by_term[term].extend((position, count))
            else:
                by_term[term] = array("i", (position, count))
        self._pairs += len(terms)

    @property
    def terms(self) -> KeysView[str]:
        """All terms that were ever indexed, the newest last."""
        return self._by_term.keys()

    @property
    def nbytes(self) -> int:
        """Approximate size in memory."""
        return len(self._by_term) * _TERM_BYTES + 8 * self._pairs

    def holders(
        self, terms: Sequence[str], alive: npt.NDArray[np.bool_], *, most: int
    ) -> dict[str, list[int]]:
        """By term, the living positions that have it, for terms that 2 to `most` of them have.

        A term that many more ever had is not looked at.
        """
        found: dict[str, list[int]] = {}
        for term in terms:
            pairs = self._by_term.get(term)
            if pairs is None or not 4 <= len(pairs) <= 4 * most + _OF_REMOVED:  # noqa: PLR2004
                continue
            places = np.array(pairs[::2], np.int64)
            places = places[alive[places]]
            if 2 <= len(places) <= most:  # noqa: PLR2004 - the memory and another one
                found[term] = places.tolist()
        return found

    def find(self, terms: Sequence[str], alive: npt.NDArray[np.bool_]) -> Matches:
        """Occurrences of these terms in memories that are `alive` (``bool[n]``)."""
        found = [(row, self._by_term[t]) for row, t in enumerate(terms) if t in self._by_term]
        if not found:
            empty = np.empty(0, np.int64)
            return Matches(empty, empty, np.empty(0), len(terms))
        # Copies: an array with an exported buffer cannot grow.
        pairs = np.concatenate([np.array(pairs, np.int64) for _, pairs in found]).reshape(-1, 2)
        rows = np.repeat([row for row, _ in found], [len(pairs) // 2 for _, pairs in found])
        kept = alive[pairs[:, 0]]
        return Matches(rows[kept], pairs[kept, 0], pairs[kept, 1].astype(np.float64), len(terms))
