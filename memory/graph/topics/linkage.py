"""Groups of vectors by the mean of their cosines: average linkage. Pure, deterministic.

Two groups become one while the mean cosine of the members of one with those of the other is high
enough, the nearest first. No member need be near all others, so what is told of a trip in five
sentences is one group; and a text that is a little near to everything is in none for it alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def groups(vectors: npt.NDArray[np.float32], least: float) -> npt.NDArray[np.intp]:
    """For each vector (``float32[n, dim]``) the position of the first of its group.

    By chains of nearest neighbours (Murtagh 1983), so n**2 in time and space.
    """
    near, sizes, chain = _cosines(vectors), np.ones(len(vectors)), list[int]()
    first = np.arange(len(vectors))
    alone = np.ones(len(vectors), bool)
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
            _join(near, sizes, one, other)
            alone[other] = False
            first[first == other] = one
        else:
            chain.append(best)
    return first


def _cosines(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    wide /= np.where(lengths > 0, lengths, 1.0)
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
