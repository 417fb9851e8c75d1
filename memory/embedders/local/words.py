"""A model's word table, read from disk row by row."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from .batches import Ids
from .tensors import header

TENSOR = "embeddings.word_embeddings.weight"


class WordTable:
    """Looks up rows of the word table in a safetensors file.

    The table is the greater part of the weights, and a text needs a few rows of it. If the file is
    mapped into memory, the kernel maps 64 KB around each row read, and after some thousand
    different words the whole table counts as ours. `pread` of the same page cache costs 10 µs for a
    question and no memory.
    """

    def __init__(self, file: int, offset: int, dim: int, dtype: npt.DTypeLike) -> None:
        self._file = file
        self._offset = offset
        self._dim = dim
        self._dtype = dtype

    @classmethod
    def open(cls, path: Path, tensor: str = TENSOR, *, dtype: npt.DTypeLike = np.float32) -> Self:
        """Open the file and find the table in it. Raises OSError, ValueError or KeyError."""
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            (length,) = struct.unpack("<Q", os.pread(file, 8, 0))
            entry = header(os.pread(file, length, 8))[tensor]
        except BaseException:
            os.close(file)
            raise
        return cls(file, 8 + length + entry["data_offsets"][0], entry["shape"][1], dtype)

    def rows(self, ids: Ids) -> npt.NDArray[Any]:
        """The rows of `ids` (any shape), ``[*ids.shape, dim]``. Raises OSError."""
        distinct, inverse = np.unique(ids, return_inverse=True)
        table = np.empty((len(distinct), self._dim), self._dtype)
        for row, word in zip(table, distinct.tolist(), strict=True):
            read = os.preadv(self._file, [row.data], self._offset + word * row.nbytes)
            if read != row.nbytes:
                raise OSError(f"the weights end before row {word}")
        found: npt.NDArray[Any] = table[inverse.reshape(ids.shape)]
        return found

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
