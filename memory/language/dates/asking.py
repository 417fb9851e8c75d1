"""Detects questions that ask for a time."""

from __future__ import annotations

import re

from ..scanner import scan
from ..vocabulary import Hit
from ..words import Words

_LONGEST = 2000
_QUESTION = re.compile("[^,\u060c\u3001\uff0c?\uff1f\u061f.!\n]*[?\uff1f\u061f]")
"""The rest of a question without a comma."""


def asks_when(text: str) -> bool:
    """Whether `text` asks for a time: "when did", "what date", "how long ago".

    The first 2,000 characters are read. A conjunction ("when I was there, who ...") does not count.
    """
    found = scan(text[:_LONGEST])
    does_not = found.covered("calendar.asks_not")
    return (
        any(hit.start not in does_not for hit in found.found("calendar.asks"))
        or any(_begins(found.words, hit) for hit in found.found("calendar.asks_first"))
        or any(_ends(found.words, hit) for hit in found.found("calendar.asks_last"))
    )


def _begins(words: Words, hit: Hit) -> bool:
    after = _QUESTION.match(words.text, words.ends[hit.end - 1])
    return hit.start in words.clause_starts and after is not None


def _ends(words: Words, hit: Hit) -> bool:
    return any(last == hit.end for _, last in words.sentences)
