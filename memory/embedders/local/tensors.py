"""Reads and writes tensors in a safetensors file: a JSON header, then raw numbers.

Read row by row where a table is large and a text needs a few rows of it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[Any]

_TYPES: Mapping[str, npt.DTypeLike] = {"U8": np.uint8, "F32": np.float32, "F64": np.float64}
_NAMES = {np.dtype(numpy): name for name, numpy in _TYPES.items()}
_ALIGNED = 8


def header(raw: bytes) -> dict[str, Any]:
    """The entries of a header by tensor. Raises ValueError for anything else."""
    found = json.loads(raw)
    if not isinstance(found, dict):
        raise ValueError("the header of the weights is no object")  # noqa: TRY004 - a bad file
    return found


def read(path: Path, *, without: str = "") -> dict[str, Tensor]:
    """Every tensor of a file but one, by name. Raises OSError, ValueError, KeyError."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", _exactly(file.read(8), 8))
        entries = header(_exactly(file.read(length), length))
        found = {}
        for name, entry in entries.items():
            if name == without:
                continue
            start, end = entry["data_offsets"]
            file.seek(8 + length + start)
            numbers = np.frombuffer(_exactly(file.read(end - start), end - start), _dtype(entry))
            found[name] = numbers.reshape(entry["shape"])
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


def _dtype(entry: Mapping[str, Any]) -> np.dtype[Any]:
    return np.dtype(_TYPES[entry["dtype"]])


def _exactly(raw: bytes, length: int) -> bytes:
    if len(raw) != length:
        raise ValueError("the weights end too early")
    return raw
