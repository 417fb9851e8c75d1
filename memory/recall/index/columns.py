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

    def extend(self, rows: Sequence[Any]) -> None:
        """Add rows at the end."""
        end = self._used + len(rows)
        if end > len(self._rows):
            # Some room beyond: those who come one by one must not copy everything each time.
            room = max(end, self._used + self._used // 4)
            grown = np.empty((room, *self._rows.shape[1:]), self._rows.dtype)
            grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        if len(rows):
            self._rows[self._used : end] = rows
        self._used = end

    @property
    def values(self) -> npt.NDArray[S]:
        """The rows, as a view that the next `extend` may leave behind."""
        return self._rows[: self._used]

    @property
    def nbytes(self) -> int:
        """Bytes it takes, with what is reserved."""
        return self._rows.nbytes
