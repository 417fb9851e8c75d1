"""Thresholds measured for each embedder. A cosine means nothing without the model it is of.

The values of the local models come from `benchmarks/calibration.py` (development half of the
conflict set, LoCoMo questions against their evidence, our own development rows in other languages).
An operator's measurement with `recollect calibrate` takes precedence. Any other embedder gets
`SAFE`: recall lets more through, learning merges only exact repetitions. No language has a scale
that was not measured: Thai, which USE knows, has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The cosines of one language, since a model does not know every language equally well."""

    floor: float
    """The median cosine of unrelated texts."""
    ceiling: float
    """The cosine of a clear hit."""
    worth: float = 1.0
    """How well cosines tell relevant from unrelated memories, 0 (not at all) to 1."""


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
    """The cosine of a clear hit (90th percentile of related pairs). ``(cosine - floor) / (ceiling -
    floor)`` can be compared between embedders."""
    dim: int | None = None
    """Length of the measured vectors; None for every length."""
    languages: Mapping[str, Scale] = field(default_factory=dict)
    """The scales of single languages (ISO 639-1)."""
    elsewhere: float = 1.0
    """`Scale.worth` of all other languages. Where it is 0, words alone decide."""

    def scale(self, language: str) -> Scale:
        """The scale of a language."""
        known = self.languages.get(language)
        return known or Scale(floor=self.floor, ceiling=self.ceiling, worth=self.elsewhere)


SAFE = Calibration(recall=0.1, update=1.1, same=1.1)

_HARDLY = 0.35
"""Worth of MiniLM's cosines in other languages than English. It tells 61 to 95 % of the pairs of
pairs there; `benchmarks/calibration.py` has too few for each to tell these languages apart."""
_MINILM = Calibration(
    recall=0.25,
    update=0.55,
    same=0.95,
    floor=0.26,
    ceiling=0.65,
    dim=384,
    languages={
        "en": Scale(floor=0.26, ceiling=0.65),
        "ar": Scale(floor=0.58, ceiling=0.76, worth=_HARDLY),
        "de": Scale(floor=0.32, ceiling=0.58, worth=_HARDLY),
        "es": Scale(floor=0.47, ceiling=0.72, worth=_HARDLY),
        "fr": Scale(floor=0.38, ceiling=0.70, worth=_HARDLY),
        "hi": Scale(floor=0.68, ceiling=0.88, worth=_HARDLY),
        "it": Scale(floor=0.41, ceiling=0.72, worth=_HARDLY),
        "ja": Scale(floor=0.50, ceiling=0.71, worth=_HARDLY),
        "ko": Scale(floor=0.57, ceiling=0.85, worth=_HARDLY),
        "nl": Scale(floor=0.48, ceiling=0.67, worth=_HARDLY),
        "pl": Scale(floor=0.50, ceiling=0.74, worth=_HARDLY),
        "pt": Scale(floor=0.41, ceiling=0.62, worth=_HARDLY),
        "ru": Scale(floor=0.48, ceiling=0.70, worth=_HARDLY),
        "tr": Scale(floor=0.58, ceiling=0.81, worth=_HARDLY),
        "zh": Scale(floor=0.47, ceiling=0.75, worth=_HARDLY),
    },
    elsewhere=0.0,
)
_EVERYWHERE = 0.8
"""Worth of USE's cosines in the languages it knows: 0.52 to 0.96, too few pairs to tell which."""
_USE = Calibration(
    recall=0.22,
    update=0.46,
    same=0.93,
    floor=0.22,
    ceiling=0.52,
    dim=512,
    languages={
        "en": Scale(floor=0.22, ceiling=0.52, worth=_EVERYWHERE),
        "ar": Scale(floor=0.01, ceiling=0.35, worth=_EVERYWHERE),
        "de": Scale(floor=0.04, ceiling=0.41, worth=_EVERYWHERE),
        "es": Scale(floor=0.05, ceiling=0.43, worth=_EVERYWHERE),
        "fr": Scale(floor=0.05, ceiling=0.45, worth=_EVERYWHERE),
        "it": Scale(floor=0.05, ceiling=0.56, worth=_EVERYWHERE),
        "ja": Scale(floor=0.08, ceiling=0.56, worth=_EVERYWHERE),
        "ko": Scale(floor=0.02, ceiling=0.47, worth=_EVERYWHERE),
        "nl": Scale(floor=0.01, ceiling=0.35, worth=_EVERYWHERE),
        "pl": Scale(floor=0.01, ceiling=0.43, worth=_EVERYWHERE),
        "pt": Scale(floor=0.03, ceiling=0.47, worth=_EVERYWHERE),
        "ru": Scale(floor=0.03, ceiling=0.42, worth=_EVERYWHERE),
        "tr": Scale(floor=0.04, ceiling=0.51, worth=_EVERYWHERE),
        "zh": Scale(floor=0.08, ceiling=0.51, worth=_EVERYWHERE),
    },
    elsewhere=0.0,
)
_WELL, _BEST = 0.75, 0.9
"""Worth of the pair's cosines where both halves know something of a language (0.41 to 1 measured),
and where USE counts twice (0.86 to 0.92)."""
_PAIR = Calibration(
    recall=0.22,
    update=0.57,
    same=0.92,
    floor=0.23,
    ceiling=0.55,
    dim=896,
    languages={
        "en": Scale(floor=0.23, ceiling=0.55),
        "ar": Scale(floor=0.18, ceiling=0.45, worth=_BEST),
        "de": Scale(floor=0.18, ceiling=0.51, worth=_WELL),
        "es": Scale(floor=0.24, ceiling=0.53, worth=_WELL),
        "fr": Scale(floor=0.23, ceiling=0.59, worth=_WELL),
        "hi": Scale(floor=0.55, ceiling=0.73, worth=_HARDLY),
        "it": Scale(floor=0.24, ceiling=0.63, worth=_WELL),
        "ja": Scale(floor=0.20, ceiling=0.56, worth=_BEST),
        "ko": Scale(floor=0.19, ceiling=0.54, worth=_BEST),
        "nl": Scale(floor=0.24, ceiling=0.49, worth=_WELL),
        "pl": Scale(floor=0.27, ceiling=0.56, worth=_WELL),
        "pt": Scale(floor=0.23, ceiling=0.49, worth=_WELL),
        "ru": Scale(floor=0.27, ceiling=0.54, worth=_WELL),
        "tr": Scale(floor=0.31, ceiling=0.62, worth=_WELL),
        "zh": Scale(floor=0.20, ceiling=0.54, worth=_BEST),
    },
    elsewhere=0.0,
)
# The cosines of int8 differ from those of the full weights by 0.001 on average, by 0.008 one time
# in three: less than the rounding of the thresholds.
_BUILT_IN = {
    "all-MiniLM-L6-v2": _MINILM,
    "all-MiniLM-L6-v2-int8": _MINILM,
    "use-multilingual-v3": _USE,
    "all-MiniLM-L6-v2+use-multilingual-v3": _PAIR,
    "all-MiniLM-L6-v2-int8+use-multilingual-v3": _PAIR,
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
