"""Rates the importance of an episode: as the model says, or by signs. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import regex

from ...language import language_of, names_in, stored_terms
from ...language.values import numbers_of
from ...model.types import Turn

LOWEST, HIGHEST = 1, 10
"""The scale of Generative Agents (Park et al. 2023, arXiv 2304.03442, section 4.1)."""
FULL_TERMS = 200
"""Different words from which a talk counts as long."""
FULL_DETAILS = 12
"""Names and numbers from which it counts as detailed."""
LEAST, MOST = 0.1, 0.7
"""Bounds of what signs can say: only whoever reads it can know that it changes a life."""

_RATED = regex.compile(
    r"^[\s*_#>`-]*importance[\s*_`]*[:=][\s*_`]*(?P<said>.{0,40}?)[\s*_`.]*$",
    regex.IGNORECASE | regex.MULTILINE,
)
"""The line that the prompt asks for, whatever is said in it."""
_SAID = regex.compile(rf"(?P<rated>[+-]?\d{{1,3}}(?:[.,]\d{{1,2}})?)(?:\s*/\s*{HIGHEST})?")


class Rating(NamedTuple):
    """The importance in an answer, and the rest of it."""

    text: str
    importance: float | None
    """From 0.1 to 1; None if there is no number from 1 to 10."""


def rating_in(answer: str) -> Rating:
    """Take the line with the rating out of an answer; of several the last one counts."""
    lines = list(_RATED.finditer(answer))
    rest = _RATED.sub("", answer).strip()
    return Rating(rest, _scaled(lines[-1]["said"]) if lines else None)


def _scaled(said: str) -> float | None:
    found = _SAID.fullmatch(said.strip())
    if found is None:
        return None
    rated = float(found["rated"].replace(",", "."))
    return round(rated / HIGHEST, 3) if LOWEST <= rated <= HIGHEST else None


def by_signs(turns: Sequence[Turn], learned: Sequence[float] = ()) -> float:
    """From `LEAST` to `MOST`: how much was said, in how much detail, and what was learned of it.

    `learned` are the importances of the facts from these turns.
    """
    text = "\n".join(turn.user_text for turn in turns)
    length = min(1.0, math.log1p(len(set(stored_terms(text)))) / math.log1p(FULL_TERMS))
    named = len(set(names_in(text))) + len(numbers_of(text, language_of(text)))
    signs = (length, min(1.0, named / FULL_DETAILS), max(learned, default=0.0))
    return round(LEAST + (MOST - LEAST) * sum(signs) / len(signs), 3)
