"""Numbers that are found in a memory's vector, kept beside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .columns import Column

Rows = npt.NDArray[np.float32]
Find = Callable[[npt.NDArray[np.int64]], Rows]
_NONE = -1


class CachedSignals:
    """A row for each position that was asked for: of thousands of memories, most never are."""

    def __init__(self) -> None:
        self._places: Column[np.int32] = Column(np.int32)
        """By position, where its row is."""
        self._forget(None)

    def _forget(self, judge: object) -> None:
        self._judge = judge
        self._places.values[:] = _NONE
        self._rows: Column[np.float32] | None = None

    def of(self, judge: object, positions: npt.NDArray[np.int64], find: Find) -> Rows:
        """``float32[k, n]``: the rows of k positions, which are in order and differ.

        `find` finds those of positions that are new to this judge; it finds n numbers for each.
        """
        if judge is not self._judge:
            self._forget(judge)
        missing = int(positions[-1]) + 1 - len(self._places.values) if len(positions) else 0
        self._places.extend([_NONE] * max(missing, 0))
        new = positions[self._places.values[positions] == _NONE]
        kept = self._rows
        if kept is None or len(new):
            found = find(new)
            kept = self._rows = kept or Column(np.float32, found.shape[1])
            first = len(kept.values)
            kept.extend(found)
            self._places.values[new] = np.arange(first, first + len(new))
        rows: Rows = kept.values[self._places.values[positions]]
        return rows
