"""Tries a costly pattern only at some places: where a cheap one matches, or near another."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

_LONGEST = 100
"""Characters of a match, with what a pattern looks at behind it."""


def matches(
    pattern: regex.Pattern[str], gate: re.Pattern[str], text: str
) -> Iterator[regex.Match[str]]:
    """The result of `pattern.finditer`, tried only where `gate` matches."""
    done = 0
    for opening in gate.finditer(text):
        match = pattern.match(text, opening.start()) if opening.start() >= done else None
        if match:
            yield match
            done = match.end()


def near(pattern: regex.Pattern[str], text: str, start: int, stop: int) -> regex.Match[str] | None:
    """The first match that begins between two places, read to its end and not cut at `stop`."""
    limit = stop + _LONGEST
    match = pattern.search(text, start, limit)
    whole = (
        match is not None and match.start() < stop and (match.end() < limit or limit > len(text))
    )
    return match if whole else None
