"""Tries a costly pattern only at the places that a cheap one finds."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex


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
