"""Normalises numbers and times."""

from __future__ import annotations

import regex

_GROUPED = regex.compile(r"(?<![\d.,])\d{1,3}(?:([.,\u00a0\u202f' ])\d{3})(?:\1\d{3})*(?![\d])")
_CLOCK = regex.compile(
    r"(?<![\d.,:])(\d{1,2})(?:(?:[:.h](?=\d\d\s*[ap]\.?m)|[:h])(\d\d))?\s*([ap])\.?m\b\.?"
    r"|(?<![\d.,:])(\d{1,2})(?::|h|(?<=\d)\.(?=\d\d\s*uhr))(\d\d)(?![\d:])(?:\s*(?:uhr|h)\b)?"
    r"|(?<![\d.,:])(\d{1,2})\s*(?:uhr\b|時(?!間)|点(?!\d))(?:(\d\d)分?)?(半)?"
    r"|(?<![\d.,:])(\d{1,2})\s*h\b(?!\w)"
)
_KILO = regex.compile(r"(?<![\w.])(\d+(?:[.,]\d)?)k\b")
_DECIMAL = regex.compile(r"(?<=\d),(?=\d)")
_ORDINAL = regex.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)\b")
_HALF = 12


def plain_values(text: str) -> str:
    """The case-folded text with 24-hour times ("HH:MM") and numbers without grouping.

    "5:30 am" and "05:30" become one, and so do "2.200" and "2,200", "$10k" and "$10,000".
    """
    text = _CLOCK.sub(_clock, text)
    text = _GROUPED.sub(lambda found: regex.sub(r"\D", "", found[0]), text)
    text = _KILO.sub(lambda found: f"{float(found[1].replace(',', '.')) * 1000:g}", text)
    return _DECIMAL.sub(".", _ORDINAL.sub(r"\1", text))


def _clock(found: regex.Match[str]) -> str:
    if found[9]:  # "2 h" is a duration as often as a time
        return found[0]
    hour = int(found[1] or found[4] or found[6])
    minute = int(found[2] or found[5] or found[7] or (30 if found[8] else 0))
    if found[3]:
        hour = hour % _HALF + (_HALF if found[3] == "p" else 0)
    if hour > 24 or minute > 59:  # noqa: PLR2004 - no time of day
        return found[0]
    return f" {hour:02}:{minute:02} "
