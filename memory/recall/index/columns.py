"""Arrays that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

S = TypeVar("S", bound=np.generic)

_FIRST_ROWS = 1  # many users have no memories yet


class Column(Generic[S]):
    """Rows of one type, added at the end; grows by more rows than are needed."""

    def __init__(self, dtype: type[S], *shape: int) -> None:
        """`shape` is the shape of one row: empty for a number, ``dim`` for a vector."""
        self._rows: npt.NDArray[S] = np.empty((_FIRST_ROWS, *shape), dtype)
        self._used = 0

    def extend(self, rows: Sequence[Any] | npt.NDArray[Any]) -> None:
        end = self._used + len(rows)
        if end > len(self._rows):
            # Spare room, so that adding single rows does not copy the array each time.
            room = max(end, self._used + self._used // 4)
            grown = np.empty((room, *self._rows.shape[1:]), self._rows.dtype)
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        if len(rows):
            self._rows[self._used : end] = rows
        self._used = end

    @property
    def values(self) -> npt.NDArray[S]:
        """A view of the rows; the next `extend` may move the rows to another array."""
        return self._rows[: self._used]

    @property
    def nbytes(self) -> int:
        """Size in memory, with the reserved rows."""
        return self._rows.nbytes
