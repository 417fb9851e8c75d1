"""The model's word table, read from disk row by row."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Self

import numpy as np

from ...types import Vectors
from .batches import Ids

TENSOR = "embeddings.word_embeddings.weight"


class WordTable:
    """Looks up ``float32`` rows of the word table in a safetensors file.

    The table is half of all weights, and a text needs a few rows of it. If the file is mapped into
    memory, the kernel maps 64 KB around each row read, and after some thousand different words all
    47 MB count as ours. `pread` of the same page cache costs 10 µs for a question and no memory.
    """

    def __init__(self, file: int, offset: int, dim: int) -> None:
        self._file = file
        self._offset = offset
        self._dim = dim

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file and find the table in it. Raises OSError, ValueError or KeyError."""
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            (length,) = struct.unpack("<Q", os.pread(file, 8, 0))
            entry = json.loads(os.pread(file, length, 8))[TENSOR]
        except BaseException:
            os.close(file)
            raise
        return cls(file, 8 + length + entry["data_offsets"][0], entry["shape"][1])

    def rows(self, ids: Ids) -> Vectors:
        """The rows of `ids` (any shape) as ``float32[*ids.shape, dim]``. Raises OSError."""
        distinct, inverse = np.unique(ids, return_inverse=True)
        table = np.empty((len(distinct), self._dim), np.float32)
        for row, word in zip(table, distinct.tolist(), strict=True):
            read = os.preadv(self._file, [row.data], self._offset + word * row.nbytes)
            if read != row.nbytes:
                raise OSError(f"the weights end before row {word}")
        return table[inverse.reshape(ids.shape)]

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
