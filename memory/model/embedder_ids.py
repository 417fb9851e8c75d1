"""The ids that embedders had in earlier versions. Pure."""

from __future__ import annotations

_EXACT, _QUANTISED = "all-MiniLM-L6-v2", "all-MiniLM-L6-v2-int8"


def present_id(stored: str) -> str:
    """What the embedder of vectors that were stored under this id is called now.

    Whether MiniLM multiplied in 8-bit integers was a choice, and had ids of its own. Both kinds of
    vectors are compared with each other: of 1,536 questions on eighteen sets, recall among the ten
    nearest differs by 0.2 points (`benchmarks/embedders.py --exact`).
    """
    return stored.replace(_QUANTISED, _EXACT, 1) if stored.startswith(_QUANTISED) else stored
