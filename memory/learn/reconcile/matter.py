"""Whether two memories may be about the same matter. Pure.

That is no verdict: what is linked needlessly costs a line in a question to a model. So a common
word of content is enough where texts are short, and a near meaning without one.
"""

from __future__ import annotations

from ...calibration import Calibration
from ...language import stored_terms
from ...language.cues import without

NEAR = 0.9
"""From this level texts are of one matter whatever their words. 0 is the cosine of unrelated
memories (`Calibration.floor`), 1 that from which a fact may replace another (`update`)."""
RELATED = 0.35
"""From this level a common word is enough."""
SHARED = 0.5
"""Share of the shorter text's words that both have, whatever the cosine."""


def is_one_matter(one: str, other: str, cosine: float, calibration: Calibration) -> bool:
    """Whether two texts, with the cosine of their vectors, may be about the same matter."""
    mine, theirs = _terms(one), _terms(other)
    common = mine & theirs
    if len(common) >= SHARED * max(1, min(len(mine), len(theirs))) and common:
        return True
    level = _level(cosine, calibration)
    return level >= NEAR or (level >= RELATED and bool(common))


def _level(cosine: float, calibration: Calibration) -> float:
    """A cosine on the embedder's scale; 0 if the embedder is not calibrated."""
    if calibration.update > 1.0:
        return 0.0
    return (cosine - calibration.floor) / (calibration.update - calibration.floor)


def _terms(text: str) -> frozenset[str]:
    return frozenset(stored_terms(without(text, "people.user")))
