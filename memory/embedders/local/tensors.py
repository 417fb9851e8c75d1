"""Tensors in a safetensors file: a JSON header, then raw numbers.

A large table is read row by row, because a text needs a few rows of it. The weights of USE
multilingual v3 are made from what its package carries: a compressed archive, which takes half a
second and 65 MB in every process that reads it.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from .batches import Ids

Tensor = npt.NDArray[Any]

_NAMES = {np.dtype(np.uint8): "U8", np.dtype(np.float32): "F32", np.dtype(np.float64): "F64"}
_ALIGNED = 8


def header(raw: bytes) -> dict[str, Any]:
    """The entries of a header by tensor. Raises ValueError for anything else."""
    found = json.loads(raw)
    if not isinstance(found, dict):
        raise ValueError("the header of the weights is no object")  # noqa: TRY004 - a bad file
    return found


def write(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write tensors in this order. The same tensors give the same bytes. Raises OSError."""
    entries, at = {}, 0
    for name, tensor in tensors.items():
        span = [at, at + tensor.nbytes]
        kind = _NAMES[tensor.dtype]
        entries[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": span}
        at += tensor.nbytes
    said = json.dumps(entries, separators=(",", ":")).encode()
    said += b" " * (-len(said) % _ALIGNED)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(said)))
        file.write(said)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor).data)


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


TABLE = "table"
CHUNKS = 17
"""The rows of the word table lie in so many blocks: row n in block n modulo 17, each with a scale
of its own."""
_ALIKE = (2, 3, 5)
"""Words that the three branches read at a time; each has the same tensors."""
_JOINED = {"proj": 1, "proj_b": 0, "ln_g": 0, "ln_b": 0}
"""What the branches apply to the same input or side by side is one tensor; joined on this axis."""


def convert_weights(source: Path, target: Path) -> None:
    """`weights.npz` as a safetensors file.

    Raises OSError, ValueError, KeyError, zipfile.BadZipFile.
    """
    with np.load(source, allow_pickle=False) as archive:
        tensors: dict[str, Tensor] = {TABLE: _table(archive)}
        for name, axis in _JOINED.items():
            branches = [archive[f"{name}{n}"] for n in _ALIKE]
            tensors[f"{name}_all"] = np.concatenate(branches, axis=axis)
        used = {f"{name}{n}" for name in _JOINED for n in _ALIKE} | {"bits"}
        rest = sorted(name for name in archive.files if name not in used and name[0] != "q")
        tensors |= {name: archive[name] for name in rest}
    write(target, tensors)


def _table(archive: Any) -> Tensor:
    first = archive["q1"]
    table = np.empty((CHUNKS * len(first), first.shape[1]), np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = archive[f"q{chunk + 1}"]
    return table
