"""Fits the weights of evidence to questions whose answer is known to be there, or not to be. Pure.

A question is told by the best memory of its store, and which is best depends on the weights: both
are found in turn, as in multiple-instance learning (Andrews et al. 2002). The weights are those of
a logistic regression, held near given ones by a penalty, so that a few dozen questions do not
overturn what thousands have shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .weights import ANSWERS, AnswerWeights

Values = npt.NDArray[np.float64]

TURNS = 6
"""Choices of the best memories: later ones change nothing."""
STEPS = 50
"""Newton's steps of a regression; a dozen are enough."""
_SETTLED = 1e-8
_FINITE = 1e-6


@dataclass(frozen=True, slots=True)
class FitRow:
    """A question in one store."""

    table: Values
    """``float64[len(ANSWERS), n]``: what each memory tells (`recall.evidence.told`)."""
    answered: bool
    """Whether the answer is stored."""
    weight: float = 1.0
    """What the question counts."""


def fit_answers(asked: Sequence[FitRow], near: AnswerWeights, *, penalty: float) -> AnswerWeights:
    """The weights that tell questions with a stored answer from the others.

    `penalty` is what a distance of one from the weights `near` costs, in questions.
    """
    found = np.array([near.bias, *(getattr(near, name) for name in ANSWERS)])
    start = found
    answered = np.array([one.answered for one in asked], np.float64)
    weights = np.array([one.weight for one in asked])
    for _ in range(TURNS):
        best = [int(np.argmax(found[1:] @ one.table)) for one in asked]
        rows = np.array([one.table[:, at] for one, at in zip(asked, best, strict=True)])
        found = regress(rows, answered, weights, near=start, penalty=penalty)
    return replace(near, bias=float(found[0]), **_named(ANSWERS, found[1:]))


def regress(
    rows: Values, labels: Values, weights: Values, *, near: Values, penalty: float
) -> Values:
    """``float64[1 + columns]``: a bias and weights of a logistic regression, by Newton's method.

    A column that never varies keeps its weight of `near`.
    """
    varies = np.concatenate([[True], rows.std(axis=0) > 0])
    full = np.column_stack([np.ones(len(rows)), rows])
    # So that a column with one label only has a finite weight.
    cost = np.where(varies, penalty + _FINITE, 0.0)

    def loss(given: Values) -> float:
        missed = np.logaddexp(0.0, full @ given) - labels * (full @ given)
        return float(weights @ missed + cost @ (given - near) ** 2 / 2)

    found = near.astype(np.float64).copy()
    for _ in range(STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(full @ found, -50.0, 50.0)))
        slope = (full.T @ (weights * (labels - likely)) - cost * (found - near))[varies]
        curve = (full * (weights * likely * (1.0 - likely))[:, None]).T @ full + np.diag(cost)
        step = np.zeros_like(found)
        step[varies] = np.linalg.solve(curve[np.ix_(varies, varies)], slope)
        # A full step may overshoot where most probabilities are near 0 or 1.
        while loss(found + step) > loss(found) and float(np.abs(step).max()) > _SETTLED:
            step /= 2
        found = found + step
        if float(np.abs(step).max()) < _SETTLED:
            break
    return found


def _named(names: Sequence[str], values: Values) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True)}
