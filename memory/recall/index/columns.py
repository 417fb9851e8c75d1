"""Arrays that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

S = TypeVar("S", bound=np.generic)

_FIRST_ROWS = 1  # many users have no memories yet


class Column(Generic[S]):
    """Rows of one type, added at the end; when room runs out there is made more than is needed."""

    def __init__(self, dtype: type[S], *shape: int) -> None:
        """`shape` is that of one row: none for a number, ``dim`` for a vector."""
        self._rows: npt.NDArray[S] = np.empty((_FIRST_ROWS, *shape), dtype)
        self._used = 0

    def append(self, row: Any) -> None:
        """Add a row at the end."""
        if self._used == len(self._rows):
            self.reserve(2 * self._used)
        self._rows[self._used] = row
        self._used += 1

    def extend(self, rows: Sequence[Any]) -> None:
        """Add many rows at the end."""
        end = self._used + len(rows)
        if end > len(self._rows):
            # Some room beyond: those who come one by one must not copy everything each time.
            self.reserve(max(end, self._used + self._used // 4))
        if len(rows):
            self._rows[self._used : end] = rows
        self._used = end

    def reserve(self, rows: int) -> None:
        """Make room for so many rows altogether."""
        if rows > len(self._rows):
            grown = np.empty((rows, *self._rows.shape[1:]), self._rows.dtype)
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown

    @property
    def values(self) -> npt.NDArray[S]:
        """The rows, as a view that the next `append` may leave behind."""
        return self._rows[: self._used]

    @property
    def nbytes(self) -> int:
        """Bytes it takes, with what is reserved."""
        return self._rows.nbytes
