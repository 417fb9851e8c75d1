"""Thresholds measured for each embedder. A cosine means nothing without the model it is of.

The values of the local models were fitted to the development half of the conflict set, LoCoMo
questions against their evidence, and our own development rows in other languages.
An operator's measurement with `recollect calibrate` takes precedence. Any other embedder gets
`SAFE`: recall lets more through, learning merges only exact repetitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .weights import BUILT_IN, AnswerWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Cosine thresholds of one embedder."""

    recall: float
    """A memory below this is irrelevant to the query."""
    update: float
    """From here on a new fact may be about the same thing as the old one and replace its text."""
    same: float
    """From here on it also says the same, unless numbers or negations differ."""
    floor: float = 0.0
    """The median cosine of a query and an unrelated memory of the same user."""
    ceiling: float = 1.0
    """The cosine of a clear hit (90th percentile of related pairs)."""
    dim: int | None = None
    """Length of the measured vectors; None for every length."""
    languages: Mapping[str, float] = field(default_factory=dict)
    """The worth of the cosines in single languages (ISO 639-1): how well they tell relevant from
    unrelated memories, from 0 (not at all) to 1."""
    elsewhere: float = 1.0
    """The same in all other languages. Where it is 0, words alone decide."""
    weights: AnswerWeights = BUILT_IN
    """What the signals count as evidence."""

    @property
    def spread(self) -> float:
        """From floor to ceiling: the unit in which cosines of different embedders compare."""
        return self.ceiling - self.floor

    def level(self, cosine: float) -> float:
        """A cosine of two memories as a level: 0 of unrelated ones, 1 of those that replace.

        0 for any if the embedder is not calibrated.
        """
        return 0.0 if self.update > 1.0 else (cosine - self.floor) / (self.update - self.floor)

    def worth(self, language: str) -> float:
        """What a cosine is worth in a language."""
        return self.languages.get(language, self.elsewhere)


SAFE = Calibration(recall=0.1, update=1.1, same=1.1, floor=0.1, ceiling=0.5)
"""Of an embedder of which nothing is known: as of most models, so that meaning tells something."""

_OF_USE = (
    "ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh",
)  # fmt: skip
"""The languages of USE besides English. Thai has no rows of ours: its authors list it."""
_HARDLY = 0.35
"""Worth of MiniLM's cosines in other languages than English. It tells 61 to 95 % of the pairs of
pairs there; our rows are too few for each to tell these languages apart."""
_MINILM = Calibration(
    recall=0.25,
    update=0.55,
    same=0.95,
    floor=0.26,
    ceiling=0.65,
    dim=384,
    languages={"en": 1.0} | dict.fromkeys(set(_OF_USE) - {"th"} | {"hi"}, _HARDLY),
    elsewhere=0.0,
)
_EVERYWHERE = 0.8
"""Worth of USE's cosines in the languages it knows: 0.52 to 0.96, too few pairs to tell which."""
_USE = Calibration(
    recall=0.22,
    update=0.46,
    same=0.93,
    # English: 0.22 and 0.52; other languages: 0.01 to 0.08, and 0.35 to 0.56.
    floor=0.12,
    ceiling=0.50,
    dim=512,
    languages=dict.fromkeys((*_OF_USE, "en"), _EVERYWHERE),
    elsewhere=0.0,
)
_PAIR = Calibration(
    recall=0.22,
    update=0.57,
    same=0.92,
    floor=0.23,
    ceiling=0.55,
    dim=896,
    languages=dict.fromkeys((*_OF_USE, "en"), 1.0) | {"hi": _HARDLY},
    elsewhere=0.0,
)
# Measured with MiniLM in single precision. The cosines of the pair differ from those by less than
# 0.001 on average and by 0.008 one time in five: less than the rounding of the thresholds.
_BUILT_IN = {
    "all-MiniLM-L6-v2": _MINILM,
    "use-multilingual-v3": _USE,
    "all-MiniLM-L6-v2+use-multilingual-v3": _PAIR,
}
NOTHING_MEASURED: Mapping[str, Calibration] = MappingProxyType({})


def calibration_for(
    embedder_id: str,
    *,
    dim: int | None = None,
    measured: Mapping[str, Calibration] = NOTHING_MEASURED,
) -> Calibration:
    """The operator's measurement, else the built-in one, else `SAFE`.

    With `dim`, a measurement for vectors of another length does not count: models that shorten
    their vectors (``text-embedding-3``) have other cosines at each length.
    """
    for table in (measured, _BUILT_IN):
        found = table.get(embedder_id)
        if found is not None and (found.dim is None or dim is None or found.dim == dim):
            return found
    return SAFE


def is_calibrated(
    embedder_id: str,
    *,
    dim: int | None = None,
    measured: Mapping[str, Calibration] = NOTHING_MEASURED,
) -> bool:
    """Whether thresholds were measured for it."""
    return calibration_for(embedder_id, dim=dim, measured=measured) is not SAFE
