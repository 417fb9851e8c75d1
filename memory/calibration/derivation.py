"""Thresholds from cosines of labelled pairs. Pure.

Each rule weighs two kinds of mistakes and accepts the cheaper one:

- `recall`: keep 95 % of the relevant pairs. A relevant memory below it can never be found, an
  irrelevant one above it is only ranked. If there is a gap above the unrelated pairs, the threshold
  is in its middle: the next relevant memory may be a little further off than those measured.
- `floor` is the median of the unrelated pairs, not a high percentile: a few dozen pairs determine
  the median well, but not the edge. `ceiling` is the 90th percentile of the relevant pairs.
- `update`: the cosine that separates updates from other facts best: share kept minus twice the
  share let through (Youden's J with costs). A missed update leaves a needless memory, a wrong one
  loses a fact. Learning also requires a sign of change. If no choice is worth it, `same`.
- the worth of a language with enough relevant and unrelated pairs comes from the share of such
  pairs of pairs that the cosine orders rightly (area under the curve; Hanley and McNeil 1982).
- `same`: the lowest that at most 2 % of the different pairs reach. A stored repetition costs
  tokens; a new fact treated as a repetition is lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..model.errors import InvalidInputError
from .values import Calibration

KEPT = 0.95
FLOOR_QUANTILE = 0.5
CEILING_QUANTILE = 0.9
WRONGLY_SAME = 0.02
WRONG_UPDATE_COST = 2.0
"""In missed updates."""
LEAST_ROWS = 20
"""Of each label: with 20, a threshold that keeps 95 % drops one."""
LEAST_ROWS_OF_LANGUAGE = 10
"""Of each label: as many pairs of pairs as there are rows squared tell the worth."""
WORTHLESS, FULL_WORTH = 0.7, 0.98
"""Shares of rightly ordered pairs with which a cosine is worth nothing, and with which all. In a
language that the model hardly knows, words alone find more than words with such cosines."""
LEAST_SPREAD = 0.02
"""From floor to ceiling: a smaller difference is noise."""
_SCALE = 1000
"""Thresholds are rounded to thousandths."""

Cosines = npt.NDArray[np.float64]
LABELS = ("relevant", "unrelated", "same", "update", "different")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Cosines by label, ``float64[n]`` each; a label without rows has an empty array."""

    relevant: Cosines
    unrelated: Cosines
    same: Cosines
    update: Cosines
    different: Cosines
    languages: Mapping[str, tuple[Cosines, Cosines]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """The relevant and the unrelated ones of each language."""

    def counts(self) -> dict[str, int]:
        """Number of pairs by label."""
        return {label: len(getattr(self, label)) for label in LABELS}


def derive(measured: Measured, before: Calibration, *, dim: int) -> Calibration:
    """The thresholds of these pairs; thresholds without measurements stay as `before`.

    Raises:
        InvalidInputError: relevant pairs are no nearer than unrelated ones, so that no threshold
            separates them.
    """
    after = replace(before, dim=dim)
    if len(measured.relevant):
        after = replace(
            after,
            recall=recall_threshold(measured.relevant, measured.unrelated),
            floor=_rounded(np.quantile(measured.unrelated, FLOOR_QUANTILE)),
            ceiling=_rounded(np.quantile(measured.relevant, CEILING_QUANTILE)),
        )
        _check_spread(after)
        after = replace(after, languages={**before.languages, **_worths(measured.languages)})
    if len(measured.update):
        same = same_threshold(np.concatenate([measured.update, measured.different]))
        update = update_threshold(measured.update, measured.different)
        after = replace(after, same=same, update=same if update is None else min(update, same))
    return after


def _worths(languages: Mapping[str, tuple[Cosines, Cosines]]) -> Mapping[str, float]:
    return {
        code: worth_of(relevant, unrelated)
        for code, (relevant, unrelated) in sorted(languages.items())
        if min(len(relevant), len(unrelated)) >= LEAST_ROWS_OF_LANGUAGE
    }


def worth_of(relevant: Cosines, unrelated: Cosines) -> float:
    """The worth of cosines in one language, 0 to 1; 0 without a spread."""
    spread = np.quantile(relevant, CEILING_QUANTILE) - np.quantile(unrelated, FLOOR_QUANTILE)
    if spread < LEAST_SPREAD:
        return 0.0
    right = share_reaching(relevant, unrelated).mean()
    return _rounded(np.clip((right - WORTHLESS) / (FULL_WORTH - WORTHLESS), 0.0, 1.0))


def recall_threshold(relevant: Cosines, unrelated: Cosines) -> float:
    """The cosine that keeps 95 % of the relevant pairs; lower if there is a gap below it."""
    ordered = np.sort(relevant)
    edge = float(ordered[int((1 - KEPT) * len(ordered) + 1e-9)])
    nearest_other = float(np.max(unrelated))
    return _down((edge + nearest_other) / 2 if nearest_other < edge else edge)


def update_threshold(update: Cosines, different: Cosines) -> float | None:
    """The cosine with the best balance of updates kept and other facts let through.

    None if every choice lets through too many.
    """
    choices = np.unique(update)
    wrong = share_reaching(different, choices)
    gains = share_reaching(update, choices) - WRONG_UPDATE_COST * wrong
    best = int(np.argmax(gains))
    return _down(float(choices[best])) if gains[best] > 0 else None


def same_threshold(not_same: Cosines) -> float:
    """Just above all but 2 % of the pairs that do not say the same."""
    ordered = np.sort(not_same)[::-1]
    return _above(float(ordered[int(WRONGLY_SAME * len(ordered) + 1e-9)]))


def share_reaching(cosines: Cosines, thresholds: npt.ArrayLike) -> Cosines:
    """For each threshold the share of cosines at or above it; 0 if there are no cosines."""
    below = np.searchsorted(np.sort(cosines), np.asarray(thresholds), side="left")
    return np.asarray(len(cosines) - below) / max(len(cosines), 1)


def _check_spread(calibration: Calibration) -> None:
    if calibration.ceiling - calibration.floor < LEAST_SPREAD:
        raise InvalidInputError(
            "relevant",
            f"relevant pairs reach {calibration.ceiling:.3f}, unrelated ones "
            f"{calibration.floor:.3f}: no threshold can separate them; are the labels swapped?",
        )


def _rounded(value: np.floating) -> float:
    return round(float(value) * _SCALE) / _SCALE


def _down(value: float) -> float:
    """Rounded down: cosines that reach the value reach the result."""
    return math.floor(value * _SCALE) / _SCALE


def _above(value: float) -> float:
    """Rounded up: the value itself does not reach the result."""
    return (math.floor(value * _SCALE) + 1) / _SCALE
