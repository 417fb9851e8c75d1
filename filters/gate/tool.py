"""Detects complete requests that a tool or a transformation answers."""

from __future__ import annotations

import regex

from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

_ARITHMETIC = regex.compile(r"(?<![\d.,])\d[\d.,]*+\s?[-+*/\u00d7÷^%x]\s?[\d(]|\d\s?%")
_DATED = regex.compile(
    r"(?<!\d)(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|(?:19|20)\d\d\s?[-/]\s?(?:(?:19|20)\d\d|\d\d))(?!\d)"
)
"""A date in digits or a span of years, which looks like a difference."""
_MAX_WORDS = 60
_MAX_CONVERSION_WORDS = 14


def needs_tool(reading: Reading) -> bool:
    """Whether a tool or a transformation answers the message."""
    return is_transformation(reading) or is_calculation(reading)


def is_transformation(reading: Reading) -> bool:
    """A deterministic change of supplied text ("translate", "extract", "sort")."""
    verbs = reading.requests(Cue.TRANSFORM)
    return bool(verbs) and reading.material.supplied and not reading.open_requests(verbs)


def is_calculation(reading: Reading) -> bool:
    """Arithmetic, conversion or date arithmetic, with its numbers stated."""
    if reading.open_requests():
        return False
    if is_conversion(reading):
        return True
    if not reading.digits or reading.has(Cue.ANAPHORA):
        return False
    short = len(reading.scan.words) <= _MAX_WORDS
    return short and (_is_arithmetic(reading.material.asked) or reading.has(Cue.CALC))


def _is_arithmetic(text: str) -> bool:
    """Whether a sum is written in signs."""
    return _ARITHMETIC.search(_DATED.sub(" ", text)) is not None


def is_conversion(reading: Reading) -> bool:
    """Two different units in a short question ("how many teaspoons are in a cup")."""
    units = {reading.scan.words[hit.start] for hit in reading.scan.found(Cue.UNIT)}
    if len(units) < 2 or len(reading.scan.words) > _MAX_CONVERSION_WORDS:  # noqa: PLR2004 - from, to
        return False
    return reading.digits or reading.has(Cue.CALC, Cue.TRANSFORM, Cue.OPENER)
