"""Groups of vectors by the mean of their cosines: average linkage. Pure, deterministic.

Two groups become one while the mean cosine of the members of one with those of the other is high
enough, the nearest first. No member need be near all others, so what is told of a trip in five
sentences is one group; and a text that is a little near to everything is in none for it alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
"""``float32[n, dim]``, each of length one, or zeros."""

Merge = tuple[float, int, int]
"""The mean cosine of two groups that became one, and their first members, the lesser before."""

AT_ONCE = 2_000
"""Vectors that are compared with each other: 32 MB of cosines."""
STEP = 0.05
"""By how much the mean cosine of a group that is too large is raised at a time."""
SECOND = 0.2
"""Share of a group that its second largest part should have."""
_LEAST = -2.0
"""Below every cosine."""
_FEW = 1_000
"""Pairs of vectors, each counted twice, whose mean counts half."""


def groups(
    vectors: npt.NDArray[np.float32], alike: float, most: int | None = None
) -> npt.NDArray[np.intp]:
    """For each vector (``float32[n, dim]``) the position of the first of its group.

    `alike` is how much nearer than usual members of one group are. Of more than `AT_ONCE` vectors
    the later ones join the groups of the earlier ones that they are near to, or make new ones. A
    group of more than `most` is split (`split`).
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), np.float32)
    if alike > 1.0:  # nothing is so near
        return np.arange(len(rows))
    least = alike + _usual(rows)
    first = grouped(rows, least)
    return first if most is None else split(rows, first, least, most)


def split(rows: Rows, first: npt.NDArray[np.intp], least: float, most: int) -> npt.NDArray[np.intp]:
    """The same groups, of which those with more than `most` members are split where they can be.

    `least` is the mean cosine of these groups. It is raised step by step until a group falls apart
    into at least two that have two members or more each; who would be alone stays with the nearest
    of them. So a topic becomes topics, and never single memories. A group that falls apart so
    nowhere stays whole.
    """
    found = first.copy()
    names, sizes = np.unique(first, return_counts=True)
    for name in names[sizes > most].tolist():
        at = np.flatnonzero(first == name)
        parts, bound = _parts(rows[at], least)
        if parts is not None:
            found[at] = at[split(rows[at], parts, bound, most)]
    return found


def _parts(rows: Rows, least: float) -> tuple[npt.NDArray[np.intp] | None, float]:
    """The groups of two or more that these fall apart into, and their least mean cosine.

    The first of which the second largest has `SECOND` of the members: a few odd ones that break off
    first tell nothing of the rest. Else the first at all.
    """
    found: tuple[npt.NDArray[np.intp] | None, float] = (None, 1.0)
    at_least = _by_bound(rows)
    for bound in np.arange(least + STEP, 1.0, STEP).tolist():
        first, second = _adopted(rows, at_least(bound))
        if second >= SECOND * len(rows):
            return first, bound
        if second and found[0] is None:
            found = (first, bound)
    return found


def _by_bound(rows: Rows) -> Callable[[float], npt.NDArray[np.intp]]:
    """What groups these rows for any least mean cosine: they are linked once, if they are few."""
    if len(rows) > AT_ONCE:
        return partial(grouped, rows)
    merges: list[Merge] = []
    linked(rows, _LEAST, merges)

    def cut(bound: float) -> npt.NDArray[np.intp]:
        first = np.arange(len(rows))
        for near, one, other in merges:
            if near >= bound:
                first[first == other] = one
        return first

    return cut


def _adopted(rows: Rows, first: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], int]:
    """The groups once those who are alone are with the nearest, and the size of the second largest.

    0 if there are not two of two members or more.
    """
    names, sizes = np.unique(first, return_counts=True)
    if np.count_nonzero(sizes > 1) <= 1:
        return first, 0
    alone, found = np.isin(first, names[sizes == 1]), first.copy()
    found[alone] = _nearest(rows[alone], rows[~alone], first[~alone], _LEAST)
    return _by_first(found), int(np.sort(np.unique(found, return_counts=True)[1])[-2])


def _by_first(names: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Groups by the position of their first member, whatever they were called."""
    _, at, of = np.unique(names, return_index=True, return_inverse=True)
    return np.asarray(at[of], np.intp)


def grouped(rows: Rows, least: float) -> npt.NDArray[np.intp]:
    """As `linked`, for any number of rows."""
    first = linked(rows[:AT_ONCE], least)
    for begin in range(AT_ONCE, len(rows), AT_ONCE):
        own = rows[begin : begin + AT_ONCE]
        joined = _nearest(own, rows[:begin], first, least)
        new = joined < 0
        joined[new] = begin + np.flatnonzero(new)[linked(own[new], least)]
        first = np.concatenate((first, joined))
    return first


def middle(vectors: npt.NDArray[np.float32]) -> int:
    """The position of the vector that is nearest to the mean of all; of equals the first."""
    lengths = np.linalg.norm(vectors, axis=1)
    near = vectors.astype(np.float64) @ vectors.sum(axis=0, dtype=np.float64)
    return int((near / np.where(lengths > 0, lengths, 1.0)).argmax())


def _usual(rows: Rows) -> float:
    """The mean cosine of these; of few, whose mean may be their topic, nearly nothing.

    All that is told of two persons names them, so all of it is near.
    """
    total = rows.sum(axis=0, dtype=np.float64)
    between = float(total @ total) - float(np.count_nonzero(rows.any(axis=1)))
    return between / (len(rows) * (len(rows) - 1) + _FEW)


def _nearest(
    rows: Rows, known: Rows, first: npt.NDArray[np.intp], least: float
) -> npt.NDArray[np.intp]:
    """For each row the group of known ones with the nearest members on the mean; -1 for none."""
    names, of = np.unique(first, return_inverse=True)
    means = np.zeros((len(names), rows.shape[1]), np.float32)
    np.add.at(means, of, known)
    near = rows @ (means / np.bincount(of)[:, None].astype(np.float32)).T
    best = near.argmax(axis=1)
    return np.where(near[np.arange(len(rows)), best] >= least, names[best], -1)


def linked(rows: Rows, least: float, merges: list[Merge] | None = None) -> npt.NDArray[np.intp]:
    """For each row the position of the first of its group, whose mean cosine is at least `least`.

    By chains of nearest neighbours (Murtagh 1983), so n**2 in time and space. `merges` is given
    what became one, no two before what each of them was made of.
    """
    near, sizes, chain = _cosines(rows), np.ones(len(rows)), list[int]()
    first = np.arange(len(rows))
    alone = np.ones(len(rows), bool)
    while alone.any():
        if not chain:
            chain.append(int(alone.argmax()))
        at = chain[-1]
        row = np.where(alone, near[at], -np.inf)
        best = int(row.argmax())
        if len(chain) > 1 and row[chain[-2]] >= row[best]:
            best = chain[-2]
        if row[best] < least:  # nothing that is left can be joined to it any more
            alone[at] = False
            chain.pop()
        elif len(chain) > 1 and best == chain[-2]:
            del chain[-2:]
            one, other = min(at, best), max(at, best)
            if merges is not None:
                merges.append((float(row[best]), one, other))
            _join(near, sizes, one, other)
            alone[other] = False
            first[first == other] = one
        else:
            chain.append(best)
    return first


def _cosines(rows: Rows) -> npt.NDArray[np.float64]:
    wide = rows.astype(np.float64)
    near: npt.NDArray[np.float64] = wide @ wide.T
    np.fill_diagonal(near, -np.inf)
    return near


def _join(
    near: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64], one: int, other: int
) -> None:
    """Make `one` stand for both: its cosines are the means over all members."""
    total = sizes[one] + sizes[other]
    near[one] = (sizes[one] * near[one] + sizes[other] * near[other]) / total
    near[:, one] = near[one]
    near[one, one] = -np.inf
    sizes[one] = total
