"""Which later statements may be about the same matter as a memory. Pure.

"I live in Berlin", then "I moved to Lyon": nothing concludes that the one replaces the other
(DESIGN.md, "keep, do not conclude"). The nearest later statements are shown with the earlier one,
and whoever reads takes the newest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .index.user_index import UserIndex

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

NEAREST = 3
"""Later statements that are shown with a memory. Of changes that strangers wrote, among 130 other
facts, the newer statement is among the nearest 3 in 80 %, among 5 in 84 %, it is the nearest in
61 %."""


def alike(index: UserIndex, position: int) -> Values:
    """``float64[n]``: the cosine of every memory to the one at `position`."""
    vector = index.vectors.row(position)
    return np.asarray(index.vectors.cosines(vector[np.newaxis]), np.float64)


def later(
    index: UserIndex, position: int, near: Values, among: Mask, *, least: float, most: int = NEAREST
) -> list[int]:
    """Positions of statements that may say something newer than the one at `position`.

    First the newest of its group (`Provenance.matter`), then the nearest of those made later,
    at least `least` near (`near` is ``float64[n]``).
    """
    newer: Mask = among & (index.moments > index.moments[position])
    if not newer.any():
        return []
    grouped = [at for at in index.of_group(position).tolist() if newer[at]]
    newest = max(grouped, key=lambda at: float(index.moments[at]), default=None)
    newer &= near >= least
    newer[grouped] = False
    order = np.argsort(np.where(newer, -near, np.inf), kind="stable")[:most]
    nearest = [at for at in order.tolist() if newer[at]]
    return nearest if newest is None else [newest, *nearest]
