"""Parses terms: one syntax for all fields of all packs.

Terms are separated by commas or line ends; a line that begins with `#` is a comment. A `*` at the
end of a word stands for any ending, a `*` at its beginning for any beginning, and a word `..` for
up to `MAX_GAP` words. Case and accents make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from .words import folded_words

GAP = ".."
STAR = "*"
COMMENT = "#"
NONE = "-"
"""A row without terms."""
MAX_GAP = 5
"""Most words that `..` stands for."""
_LEAST_LETTERS = 2
"""In a term with a `*`; one letter with any ending is half of a dictionary."""
_STARRED = re.compile(r"\*[^*]+|[^*]+\*")


def rows_of(value: str) -> Iterator[tuple[int, str]]:
    """The lines of a value that hold something, with their numbers from 0."""
    for number, line in enumerate(value.split("\n")):
        if (stripped := line.strip()) and not stripped.startswith(COMMENT):
            yield number, stripped


def terms_in(row: str) -> Iterator[str]:
    """The terms of a line."""
    return (term for part in row.split(",") if (term := " ".join(part.split())))


def problem_of(term: str) -> str:
    """What is wrong with a term; empty if it is one."""
    if STAR not in term and GAP not in term:
        return ""
    words = term.split()
    if GAP in (words[0], words[-1]) or (GAP, GAP) in pairwise(words):
        return f"{GAP!r} stands between two words"
    for word in words:
        if STAR not in word:
            continue
        if word.strip(STAR) == "":
            return f"{STAR!r} alone would be any word"
        if not _STARRED.fullmatch(word):
            return f"{STAR!r} stands at the beginning or at the end of a word"
    letters = len("".join(folded_words(term)))
    if STAR in term and letters < _LEAST_LETTERS:
        return f"{STAR!r} needs {_LEAST_LETTERS} letters beside it"
    return ""
