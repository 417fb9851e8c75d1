"""How near texts are, beside what is usual for each of them. Pure.

A cosine alone tells little: some questions are near to everything, and some memories are. So a
question is compared with statements of many kinds, a memory with questions of many kinds
(`examples`), and the cosine of the two counts by how far it is above those, in standard deviations.
That holds for any embedder, and does not depend on what else is stored. In cross-lingual retrieval
the same is done with neighbours (Conneau et al. 2018, CSLS).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..model.types import Vectors
from .index.products import dot

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Backdrop:
    """Statements and questions that are nobody's."""

    part: slice
    """The numbers of a vector that are compared."""
    statements: Vectors
    """``float32[a, n]`` of unit length, as all of these."""
    questions: Vectors

    def nearness(self, asked: Vectors, lines: Vectors) -> tuple[Values, Values]:
        """How near k lines (``float32[k, dim]``) are to the nearest of m questions.

        ``float64[k]`` each: in standard deviations above the mean of statements to that question,
        and above the mean of questions to the line.
        """
        wanted, told = self._unit(asked), self._unit(lines)
        plain = dot(wanted, told)
        usual, strays = _spread(dot(wanted, self.statements))
        for_question: Values = (plain - usual) / strays
        usual, strays = _spread(dot(told, self.questions))
        for_line: Values = (plain - usual.T) / strays.T
        return for_question.max(axis=0), for_line.max(axis=0)

    def _unit(self, vectors: Vectors) -> Vectors:
        part = np.ascontiguousarray(vectors[:, self.part], np.float32)
        lengths = np.maximum(np.linalg.norm(part, axis=1, keepdims=True), _NOTHING)
        unit: Vectors = (part / lengths).astype(np.float32)
        return unit


_LEAST_SPREAD, _NOTHING = 1e-6, 1e-30


def _spread(cosines: Values) -> tuple[Values, Values]:
    """``float64[m, 1]``: mean and standard deviation of each row."""
    mean = cosines.mean(axis=1, keepdims=True)
    return mean, np.maximum(cosines.std(axis=1, keepdims=True), _LEAST_SPREAD)
