"""Leader clustering with running centroids, one memory after the other. Pure, deterministic.

Each vector joins the cluster whose centroid is nearest, from `TopicBounds.join` on, or begins one.
One that grows over `TopicBounds.cap` is clustered again from a higher bound on. What comes out is a
function of the vectors in their order alone: adding them one by one, or in any portions, gives the
same clusters, bit by bit (`integer_vectors`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .integer_vectors import MOST_SUMMED, Whole, lengths_of, whole

_BLOCK = 128
"""Vectors whose products with all centroids are computed together."""
_STEPS = 8
"""TopicBounds that a split tries, evenly up to 1."""


@dataclass(frozen=True, slots=True)
class TopicBounds:
    """From which cosines on things are of one topic."""

    join: float
    """Of a memory and the centroid of a topic."""
    merge: float
    """Of the centroids of two topics that are one."""
    cap: int = 20
    """Memories of a topic, at most `MOST_SUMMED` - 1."""

    def __post_init__(self) -> None:
        if not 1 < self.cap < MOST_SUMMED:
            raise ValueError(f"cap: expected 2 to {MOST_SUMMED - 1}")


class Clusters:
    """The clusters of vectors of `dim` numbers. Positions count all vectors that were added."""

    def __init__(self, dim: int, bounds: TopicBounds) -> None:
        self._bounds = bounds
        self._rows: Whole = np.zeros((0, dim), np.float32)
        self._members: list[list[int]] = []
        self._sums: Whole = np.zeros((_BLOCK, dim), np.float32)
        self._lengths: npt.NDArray[np.float64] = np.ones(_BLOCK)

    def add(self, vectors: npt.NDArray[np.float32]) -> None:
        """Add vectors (``float32[n, dim]``) in their order."""
        first = len(self._rows)
        self._rows = np.concatenate((self._rows, whole(vectors)))
        for at in range(first, len(self._rows), _BLOCK):
            self._add_block(at, self._rows[at : at + _BLOCK])

    def found(self) -> list[tuple[int, ...]]:
        """The positions of each cluster, in order, after those that are one were merged.

        The clusters by their first positions. What is added later does not depend on this.
        """
        return merged([tuple(each) for each in self._members], self._rows, self._bounds)

    def middle(self, members: Sequence[int]) -> int:
        """The position of these that is nearest to their centroid; of equals the first."""
        rows = self._rows[list(members)].astype(np.float64)
        return members[int((rows @ rows.sum(axis=0) / lengths_of(rows)).argmax())]

    def _add_block(self, first: int, block: Whole) -> None:
        products = _Products(block, self._sums[: len(self._members)])
        least = lengths_of(block) * self._bounds.join
        for at in range(len(block)):
            slot = self._nearest(products.of(at, len(self._members)), least[at])
            if slot is None:
                self._begin([first + at], block[at], products)
            else:
                self._join(slot, first + at, at, products)

    def _nearest(self, products: Whole, least: float) -> int | None:
        """The cluster that a vector joins; None if it begins one."""
        if not len(products):
            return None
        scores = products / self._lengths[: len(products)]
        best = int(scores.argmax())
        return best if scores[best] >= least else None

    def _join(self, slot: int, position: int, at: int, products: _Products) -> None:
        self._members[slot].append(position)
        if len(self._members[slot]) > self._bounds.cap:
            self._split(slot, products)
            return
        self._sums[slot] += products.block[at]
        self._lengths[slot] = lengths_of(self._sums[slot : slot + 1])[0]
        products.grew(slot, at)

    def _split(self, slot: int, products: _Products) -> None:
        members = self._members[slot]
        rows = self._rows[members]
        parts = split(rows, self._bounds.join)
        for number, part in enumerate(parts):
            named, total = [members[at] for at in part], rows[list(part)].sum(axis=0)
            if number:
                self._begin(named, total, products)
            else:
                self._members[slot] = named
                self._set(slot, total, products)

    def _begin(self, members: list[int], total: Whole, products: _Products) -> None:
        slot = len(self._members)
        self._members.append(members)
        if slot == len(self._sums):
            self._sums = np.concatenate((self._sums, np.zeros_like(self._sums)))
            self._lengths = np.concatenate((self._lengths, np.ones_like(self._lengths)))
        self._set(slot, total, products)

    def _set(self, slot: int, total: Whole, products: _Products) -> None:
        self._sums[slot] = total
        self._lengths[slot] = lengths_of(total[None])[0]
        products.replace(slot, total)


class _Products:
    """The products of a block's vectors with all sums, kept up to date as the sums grow."""

    def __init__(self, block: Whole, sums: Whole) -> None:
        self.block = block
        self._own = block @ block.T
        self._table = np.zeros((len(block), len(sums) + 2 * _BLOCK), np.float32)
        self._table[:, : len(sums)] = block @ sums.T

    def of(self, at: int, count: int) -> npt.NDArray[np.float32]:
        """The products of one vector with the first `count` sums."""
        return self._table[at, :count]

    def grew(self, slot: int, at: int) -> None:
        """The vector was added to a sum."""
        self._table[:, slot] += self._own[at]

    def replace(self, slot: int, total: Whole) -> None:
        """A sum is this now."""
        if slot >= self._table.shape[1]:
            more = np.zeros((len(self.block), _BLOCK), np.float32)
            self._table = np.concatenate((self._table, more), axis=1)
        self._table[:, slot] = self.block @ total


def split(rows: Whole, join: float) -> list[tuple[int, ...]]:
    """Two or more parts of these vectors, clustered from a higher bound on; else halves."""
    for step in range(1, _STEPS):
        parts = _led(rows, join + (1 - join) * step / _STEPS)
        if len(parts) > 1:
            return parts
    middle = len(rows) // 2
    return [tuple(range(middle)), tuple(range(middle, len(rows)))]


def _led(rows: Whole, join: float) -> list[tuple[int, ...]]:
    """The same clustering of few vectors, without a cap."""
    sums = np.zeros_like(rows)
    members: list[list[int]] = []
    least = lengths_of(rows) * join
    for at, row in enumerate(rows):
        begun = sums[: len(members)]
        scores = begun @ row / lengths_of(begun)
        best = int(scores.argmax()) if members else 0
        if not members or scores[best] < least[at]:
            best = len(members)
            members.append([])
        sums[best] += row
        members[best].append(at)
    return [tuple(each) for each in members]


def merged(
    members: Sequence[tuple[int, ...]], rows: Whole, bounds: TopicBounds
) -> list[tuple[int, ...]]:
    """The clusters, those in one whose centroids are as near as `TopicBounds.merge`.

    The nearest pairs first; none grows over the cap.
    """
    ordered = sorted(members)
    whole_of = [[at] for at in range(len(ordered))]
    for _, one, other in sorted(_pairs(ordered, rows, bounds)):
        parts = whole_of[one], whole_of[other]
        size = sum(len(ordered[at]) for part in parts for at in part)
        if parts[0] is not parts[1] and size <= bounds.cap:
            parts[0].extend(parts[1])
            for at in parts[1]:
                whole_of[at] = parts[0]
    return sorted(
        {tuple(sorted(position for at in part for position in ordered[at])) for part in whole_of}
    )


def _pairs(
    members: Sequence[tuple[int, ...]], rows: Whole, bounds: TopicBounds
) -> Iterator[tuple[float, int, int]]:
    """(-cosine, one, other) of the clusters that are near enough and fit in one.

    One of them has several members: of two single vectors that are so near, the later one has
    joined the earlier one.
    """
    sizes = np.array([len(each) for each in members])
    several = np.flatnonzero((sizes > 1) & (sizes < bounds.cap))
    if not len(several):
        return
    # Products of two sums are beyond what float32 counts.
    sums = np.stack([rows[list(each)].sum(axis=0) for each in members]).astype(np.float64)
    lengths = lengths_of(sums)
    for first in range(0, len(several), _BLOCK):
        block = several[first : first + _BLOCK]
        near = (sums[block] @ sums.T) / (lengths[block, None] * lengths)
        fits = sizes[block, None] + sizes <= bounds.cap
        for at, other in np.argwhere((near >= bounds.merge) & fits).tolist():
            one = int(block[at])
            if one < other or (one > other and sizes[other] == 1):
                yield -float(near[at, other]), min(one, other), max(one, other)
