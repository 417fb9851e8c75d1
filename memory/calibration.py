"""Thresholds, each measured for one embedder. A cosine means nothing without the model it is of.

The values for all-MiniLM-L6-v2 come from `benchmarks/calibration.py` (development half of the
conflict set, LoCoMo questions against their evidence). An embedder that is not in the table gets
`SAFE`: recall lets more through, learning merges nothing but exact repetitions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Cosine thresholds of one embedder."""

    recall: float
    """A memory below this says nothing about the query."""
    update: float
    """From here on a new fact may be about the same thing as the old one and replace its text."""
    same: float
    """From here on it also says the same, unless numbers or negations differ."""


SAFE = Calibration(recall=0.1, update=1.1, same=1.1)

_MEASURED = {
    "all-MiniLM-L6-v2": Calibration(recall=0.25, update=0.55, same=0.95),
}


def calibration_for(embedder_id: str) -> Calibration:
    """The measured thresholds, or `SAFE` for an embedder nobody has measured."""
    return _MEASURED.get(embedder_id, SAFE)


def is_calibrated(embedder_id: str) -> bool:
    """Whether somebody has."""
    return embedder_id in _MEASURED
