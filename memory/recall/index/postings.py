"""The inverted index: positions and frequencies by term."""

from __future__ import annotations

from array import array
from collections.abc import KeysView, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .links import NONE, Ints, Links

Counts = npt.NDArray[np.float64]

NEIGHBOURS = ((1, 0.6), (-1, 0.4), (2, 0.3), (-2, 0.2))
"""Distance and weight: a word also counts for the memories one or two places after (negative:
before) the memory that holds it."""
_TERM_BYTES = 260
"""Size of a term: dictionary entry, array and string."""


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

    def spread(self, links: Links, n: int, strength: float) -> Counts:
        """``float64[terms, n]``: how often each memory has each term.

        Words of neighbours count `strength` times their weight in `NEIGHBOURS`.
        """
        terms, positions, counts = [self.term], [self.position], [self.count]
        for distance, weight in NEIGHBOURS if strength else ():
            other = links.at(distance)[self.position]
            there = other != NONE
            terms.append(self.term[there])
            positions.append(other[there])
            counts.append(self.count[there] * (strength * weight))
        return _table(
            np.concatenate(terms), np.concatenate(positions), np.concatenate(counts), self.terms, n
        )

    def by_session(self, links: Links) -> Counts:
        """``float64[terms, sessions]``: how often each session holds each term."""
        return _table(
            self.term, links.session[self.position], self.count, self.terms, links.sessions
        )


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
            pairs = by_term.get(term)
            if pairs is None:
                by_term[term] = array("i", (position, count))
            else:
                pairs.extend((position, count))
        self._pairs += len(terms)

    @property
    def terms(self) -> KeysView[str]:
        """All terms that were ever indexed, the newest last."""
        return self._by_term.keys()

    @property
    def nbytes(self) -> int:
        """Approximate size in memory."""
        return len(self._by_term) * _TERM_BYTES + 8 * self._pairs

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


def _table(term: Ints, column: Ints, count: Counts, terms: int, columns: int) -> Counts:
    summed = np.bincount(term * columns + column, count, terms * columns)
    return np.asarray(summed, np.float64).reshape(terms, columns)
