"""What is kept with a turn: its passages, their vectors, and what they contradict. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model.types import Vector

VERSION = 3
"""Notes of earlier versions took wishes out of the text around them: their turns are read again."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A passage as it is kept."""

    text: str
    vector: Vector | None = None
    over: frozenset[str] = frozenset()


def dump(found: Sequence[Noted], embedder_id: str) -> str:
    """The note of a turn with these passages; vectors are kept with half precision."""
    kept = [[one.text, _packed(one.vector), sorted(one.over)] for one in found]
    return json.dumps({"v": VERSION, "embedder": embedder_id, "passages": kept})


def load(note: str, embedder_id: str, dim: int) -> list[Noted] | None:
    """The passages of a note; None if it cannot be read, as one of another version.

    Vectors of another embedder are left out.
    """
    try:
        read = json.loads(note)
        if read["v"] != VERSION:
            return None
        same = read["embedder"] == embedder_id
        return [
            Noted(
                str(text),
                _unpacked(vector, dim) if same else None,
                frozenset(map(str, over)),
            )
            for text, vector, over in read["passages"]
        ]
    except (ValueError, TypeError, KeyError, binascii.Error):
        return None


def _packed(vector: Vector | None) -> str | None:
    return None if vector is None else base64.b64encode(vector.astype("<f2").tobytes()).decode()


def _unpacked(packed: str | None, dim: int) -> Vector | None:
    if packed is None:
        return None
    vector = np.frombuffer(base64.b64decode(packed), "<f2").astype(np.float32)
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if len(vector) == dim and length > 0 else None
