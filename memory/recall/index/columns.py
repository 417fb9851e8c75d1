"""Arrays that grow, and vectors in a byte a number, which are near enough to rank by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ...model.types import Vector, Vectors
from .products import dot, dot_floats, in_steps

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


class Columned(Protocol):
    """A class with columns of numbers."""

    numbers: ClassVar[dict[str, type]]
    _columns: dict[str, Column[Any]]


class Numbers(Generic[S]):
    """A column of an index, read as an attribute: an array with a number for each memory.

    Once an index shows its columns (`EntryColumns._show_columns`), nobody calls this any more.
    """

    def __init__(self, dtype: type[S]) -> None:
        self._dtype = dtype

    def __set_name__(self, owner: type[Columned], name: str) -> None:
        self._name = name
        owner.numbers[name] = self._dtype

    def __get__(self, index: Columned, _owner: type) -> npt.NDArray[S]:
        values: npt.NDArray[S] = index._columns[self._name].values  # noqa: SLF001 - its own part
        return values


EXACT = 64
"""Vectors of fewer numbers are kept as they are: of so few, the rounding of each shows."""
_AT_ONCE = 2**18
"""Numbers that are read at once: a megabyte, which stays in a processor's cache."""


class VectorRows:
    """Vectors by position, with the cosines to them. Nobody else knows how they are kept.

    The largest number of a vector is 127 steps, the others are rounded to whole steps, and the step
    is such that the vector keeps its length. Cosines are off by 0.0003 (standard deviation, of 896
    numbers), and the whole recall finds in five what it found with floats, on six sets.

    Half floats would be nearer, but they are twice as large and multiplied slower than these.
    """

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._codes: Column[Any] = Column(np.int8 if dim >= EXACT else np.float32, dim)
        self._steps: Column[np.float32] = Column(np.float32)

    def __len__(self) -> int:
        return len(self._steps.values)

    @property
    def nbytes(self) -> int:
        """Size in memory, with the reserved rows."""
        return self._codes.nbytes + self._steps.nbytes

    def extend(self, vectors: Sequence[npt.NDArray[Any]]) -> None:
        """Add vectors (``float32[dim]``, or half floats) at the end."""
        at_once = max(1, _AT_ONCE // self._dim)
        coded = [
            self._coded(np.stack(vectors[start : start + at_once]).astype(np.float32, copy=False))
            for start in range(0, len(vectors), at_once)
        ]
        if coded:
            self._add(*map(np.concatenate, zip(*coded, strict=True)))

    def row(self, position: int) -> Vector:
        """``float32[dim]``."""
        row: Vector = self._codes.values[position] * self._steps.values[position]
        return row

    def rows(self, positions: npt.NDArray[np.int64]) -> Vectors:
        """``float32[k, dim]``: those at k positions."""
        found: Vectors = self._codes.values[positions] * self._steps.values[positions, np.newaxis]
        return found

    def likeness(self, one: int, other: int) -> float:
        """The cosine of two of them, if they are of unit length."""
        return float(np.vecdot(self.row(one), self.row(other)))

    def cosines(self, queries: Vectors) -> Vector:
        """``float32[n]``: the cosine of each to the nearest of ``float32[m, dim]``."""
        multiplied = dot_floats if self._dim >= EXACT else dot
        products = multiplied(queries, self._codes.values)
        products *= self._steps.values
        each = products.astype(np.float32)
        nearest: Vector = each[0] if len(each) == 1 else each.max(axis=0)
        return nearest

    def alike(self, position: int, first: int, end: int) -> Vector:
        """``float32[n]``: the cosines to the one at a position, of those from `first` to `end`.

        Of all others 0.
        """
        here = slice(first, end)
        products = dot(self._codes.values[position : position + 1], self._codes.values[here])
        products *= self._steps.values[position]
        cosines = np.zeros(len(self), np.float32)
        cosines[here] = products[0] * self._steps.values[here]
        return cosines

    def only(self, positions: Sequence[int]) -> VectorRows:
        """Those at these positions, in this order."""
        chosen = VectorRows(self._dim)
        chosen._add(self._codes.values[positions], self._steps.values[positions])
        return chosen

    def _coded(self, vectors: Vectors) -> tuple[npt.NDArray[Any], Vector]:
        """Their numbers in steps, and the step of each."""
        if self._dim < EXACT:
            return vectors, np.ones(len(vectors), np.float32)
        codes = np.rint(in_steps(vectors)[0])
        lengths = np.maximum(np.linalg.norm(codes, axis=1), 1.0)
        steps = np.linalg.norm(vectors, axis=1) / lengths
        return codes.astype(np.int8), steps.astype(np.float32, copy=False)

    def _add(self, codes: npt.NDArray[Any], steps: npt.NDArray[Any]) -> None:
        self._codes.extend(codes)
        self._steps.extend(steps)


def as_kept(vector: Vector) -> Vector:
    """The vector as `VectorRows` would give it back."""
    rows = VectorRows(len(vector))
    rows.extend([vector])
    return rows.row(0)
