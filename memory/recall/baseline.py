"""Measures how near texts are, relative to what is usual for each of them. Pure.

A cosine alone tells little: some questions are near to everything, and some memories are. So a
question is compared with statements of many kinds, a memory with questions of many kinds
(`examples`), and the cosine of the two counts by how far it is above those, in standard deviations.
That holds for any embedder, and does not depend on what else is stored. In cross-lingual retrieval
the same is done with neighbours (Conneau et al. 2018, CSLS).

"What is my job?" and "User is a farmer" are far from each other, yet the first is near to other
questions about work, and the second to other statements about it. So both are also told apart by
theme, as in explicit semantic analysis (Gabrilovich and Markovitch 2007).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from ..model.types import Vector, Vectors
from .index.products import dot

Values = npt.NDArray[np.float64]

SHARPNESS = 20.0
"""How much nearer sentences count more, in cosines on the scale of USE; 10 and 40 do the same."""
LEAST_SHARED = 1e-3
"""Least probability of one theme that counts: below it, two texts have none in common."""
MEASURED = 56
"""Themes when the weights were fitted: by chance, two texts share one of so many."""
NO_THEME = math.log(MEASURED * LEAST_SHARED)
"""The lift of texts that have none in common."""


@dataclass(frozen=True, slots=True)
class Themes:
    """Questions that people ask about their lives, and statements, by theme."""

    asked: Vectors
    """``float32[a, n]`` of unit length, as all of these, theme by theme."""
    told: Vectors
    asked_from: tuple[int, ...]
    """Where each theme begins."""
    told_from: tuple[int, ...]
    unit: float
    """How much the embedder's cosines differ, in those of USE."""

    @classmethod
    def of(cls, themes: Mapping[str, tuple[Vectors, Vectors]], unit: float) -> Self:
        """The questions and the statements of each."""
        asked, told = zip(*themes.values(), strict=True)
        return cls(np.concatenate(asked), np.concatenate(told), _starts(asked), _starts(told), unit)

    def of_lines(self, lines: Vectors) -> Values:
        """``float64[k, themes]``: how probable each theme is for each line."""
        return self._shares(dot(lines, self.told), self.told_from)

    def lift(self, asked: Vectors, told: Values) -> Values:
        """``float64[k]``: how much likelier than by chance each line is of a question's theme.

        `told` is what `of_lines` says. In natural logarithms; the best of m questions counts.
        """
        wanted = self._shares(dot(asked, self.asked), self.asked_from)
        shared = (wanted @ told.T).max(axis=0)
        found: Values = np.log(MEASURED * (shared + LEAST_SHARED))
        return found

    def _shares(self, cosines: Values, starts: tuple[int, ...]) -> Values:
        """``float64[m, themes]``: how probable each theme is."""
        near = np.exp(SHARPNESS / self.unit * cosines)
        sizes = [end - start for start, end in pairwise((*starts, cosines.shape[1]))]
        by_theme: Values = np.add.reduceat(near, starts, axis=1) / sizes
        shares: Values = by_theme / by_theme.sum(axis=1, keepdims=True)
        return shares


@dataclass(frozen=True, slots=True)
class SimilarityBaseline:
    """Statements and questions that are nobody's."""

    part: slice
    """The numbers of a vector that are compared."""
    statements: Vectors
    """``float32[a, n]`` of unit length, as all of these."""
    questions: Vectors
    themes: Themes

    def of_lines(self, lines: Vectors) -> npt.NDArray[np.float32]:
        """``float32[k, 2 + themes]``: what `nearness` needs of k lines, whatever is asked.

        Mean and standard deviation of the cosines to questions, and the share of each theme. With
        a thousand sentences compared with each line, that is most of the work.
        """
        told = self._unit(lines)
        usual = _spread(dot(told, self.questions))
        return np.hstack([*usual, self.themes.of_lines(told)]).astype(np.float32)

    def nearness(
        self, asked: Vectors, lines: Vectors, known: npt.NDArray[np.float32] | None = None
    ) -> tuple[Values, Values, Values]:
        """How near k lines (``float32[k, dim]``) are to the nearest of m questions.

        ``float64[k]`` each: in standard deviations above the mean of statements to that question,
        above the mean of questions to the line, and what `Themes.lift` gives. `known` is what
        `of_lines` said of these.
        """
        wanted = self._unit(asked)
        plain = dot(wanted, self._unit(lines))
        usual, strays = _spread(dot(wanted, self.statements))
        for_question: Values = (plain - usual) / strays
        of_lines = (self.of_lines(lines) if known is None else known).astype(np.float64).T
        usual, strays = of_lines[:2]
        for_line: Values = (plain - usual) / strays
        lift = self.themes.lift(wanted, of_lines[2:].T)
        return for_question.max(axis=0), for_line.max(axis=0), lift

    def likeness(self, one: Vector, other: Vector) -> float:
        """How near two questions are, compared with questions of all kinds.

        In standard deviations above the mean of their cosines to those; the mean of both.
        """
        both = self._unit(np.stack([one, other]))
        usual, strays = _spread(dot(both, self.questions))
        near = (float(both[0] @ both[1]) - usual) / strays
        return float(near.mean())

    def _unit(self, vectors: Vectors) -> Vectors:
        part = np.ascontiguousarray(vectors[:, self.part], np.float32)
        lengths = np.sqrt(np.add.reduce(part * part, axis=1, keepdims=True))
        return np.asarray(part / np.maximum(lengths, _NOTHING), np.float32)


_LEAST_SPREAD, _NOTHING = 1e-6, 1e-18
"""The second: of what is shorter, ``float32`` cannot hold the square, and so not the length."""


def _spread(cosines: Values) -> tuple[Values, Values]:
    """``float64[m, 1]``: mean and standard deviation of each row."""
    n = cosines.shape[1]
    mean = np.add.reduce(cosines, axis=1, keepdims=True) / n
    apart = cosines - mean
    variance = np.add.reduce(apart * apart, axis=1, keepdims=True) / n
    return mean, np.maximum(np.sqrt(variance), _LEAST_SPREAD)


def _starts(parts: Sequence[Vectors]) -> tuple[int, ...]:
    return (0, *accumulate(map(len, parts[:-1])))
