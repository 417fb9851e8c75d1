"""For which questions a memory is not wanted ("not now"), as it is kept with the memory. Pure.

Kept is what a question means, never its words: whoever forgets a text need not look here for it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .types import Vector

MOST_PUT_OFF = 16
"""Questions that are kept of one memory, so that they fit into its row; the oldest go first."""
_STEPS = 127
"""Of a number of a vector: rounding moves a cosine by less than 0.01."""


@dataclass(frozen=True, slots=True, eq=False)
class PutOff:
    """A question for which a memory is not wanted."""

    id: str
    """Of the feedback that said so."""
    embedder_id: str
    cosine: float
    """How near the question was to the memory."""
    vector: Vector
    """The question's, of length 1, rounded."""

    def __str__(self) -> str:
        most = float(np.abs(self.vector).max(initial=0.0)) or 1.0
        rounded = np.rint(self.vector * (_STEPS / most)).astype(np.int8)
        packed = base64.b64encode(rounded.tobytes()).decode()
        return f"{self.id} {self.cosine:.4f} {packed} {self.embedder_id}"


@lru_cache(maxsize=4096)
def put_off_of(text: str) -> PutOff | None:
    """What `str` of one gave; None for anything else, which an import may have brought."""
    try:
        name, cosine, packed, embedder_id = text.split(" ", 3)
        raw = np.frombuffer(base64.b64decode(packed, validate=True), np.int8).astype(np.float32)
        return PutOff(name, embedder_id, float(cosine), raw / max(float(np.linalg.norm(raw)), 1.0))
    except (ValueError, binascii.Error):
        return None


def put_off_with(kept: Sequence[str], mark: PutOff) -> tuple[str, ...]:
    """The kept ones and one more."""
    return (*kept, str(mark))[-MOST_PUT_OFF:]


def put_off_without(kept: Sequence[str], feedback_id: str) -> tuple[str, ...]:
    """The kept ones but that of a feedback that is taken back."""
    return tuple(each for each in kept if name_of_put_off(each) != feedback_id)


def name_of_put_off(text: str) -> str:
    """The id of the feedback that said so."""
    return text.split(" ", 1)[0]
