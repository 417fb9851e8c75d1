"""Splits a text into sentences and lines; joined, they are the text. Linear time."""

# ruff: noqa: RUF001 - quotation marks and signs of several languages

from __future__ import annotations

import re

_END = re.compile(
    r"(?<![.!?…])(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[a-z]\.[a-zA-Z])[.!?…؟]++[\"'”’»)\]*_]*+\s++"
    r"|[。！？।۔։။។]++[」』”）]*+\s*+"
    # Without a space before the next sentence, as people type in scripts that have none.
    r"|[!?]++[」』”）]*+(?=[\u3040-\u30ff\u4e00-\u9fff])"
    r"|\n\s*+"
)
"""A boundary belongs to the sentence before it. "St. Olav" and "e.g. tea" have none."""


def sentences(text: str) -> list[str]:
    """Sentences and lines with their boundaries."""
    found, at = [], 0
    for match in _END.finditer(text):
        found.append(text[at : match.end()])
        at = match.end()
    return [*found, text[at:]] if at < len(text) else found


def is_question(sentence: str) -> bool:
    """Whether it asks."""
    return sentence.rstrip(" \t\n\"'”’»)*_").endswith(("?", "？", "؟"))
