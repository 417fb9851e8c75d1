"""Normalises numbers and times of day: notations, not words."""

from __future__ import annotations

import regex

_GROUPED = regex.compile(r"(?<![\d.,])\d{1,3}(?:([.,\u00a0\u202f' ])\d{3})(?:\1\d{3})*(?![\d])")
_CLOCK = regex.compile(
    r"(?<![\d.,:])(?P<hour>\d{1,2})(?:"
    r"(?:[:.h](?=\d\d\s*[ap]\.?m)|[:h])(?P<minute>\d\d)(?![\d:])(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"|\s*(?P<half>[ap])\.?m\b\.?)",
    regex.IGNORECASE,
)
_KILO = regex.compile(r"(?<![\w.])(\d+(?:[.,]\d)?)k\b", regex.IGNORECASE)
_DECIMAL = regex.compile(r"(?<=\d),(?=\d)")
_HALF = 12


def plain_values(text: str) -> str:
    """The text with 24-hour times ("HH:MM") and numbers without grouping.

    "5:30 am" and "05:30" become one, and so do "2.200" and "2,200", "$10k" and "$10,000".
    """
    text = _CLOCK.sub(_clock, text)
    text = _GROUPED.sub(lambda found: regex.sub(r"\D", "", found[0]), text)
    text = _KILO.sub(lambda found: f"{float(found[1].replace(',', '.')) * 1000:g}", text)
    return _DECIMAL.sub(".", text)


def _clock(found: regex.Match[str]) -> str:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if half := found["half"]:
        hour = hour % _HALF + (_HALF if half in "pP" else 0)
    if hour > 24 or minute > 59:  # noqa: PLR2004 - no time of day
        return found[0]
    return f" {hour:02}:{minute:02} "
