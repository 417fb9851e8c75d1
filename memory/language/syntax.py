"""The syntax of all fields of all packs, and the four notations that a field can have.

Terms are separated by commas or line ends, rows by semicolons or line ends; a line that begins with
`#` is a comment. A `*` at the
end of a word stands for any ending, a `*` at its beginning for any beginning, and a word `..` for
up to `MAX_GAP` words. Case and accents make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from itertools import pairwise
from typing import cast

from .words import folded_words

Terms = tuple[str, ...]
"""Words and phrases, in the order of the file."""
Rows = tuple[Terms, ...]
"""One line each: an ordered list such as the months, or groups of words. "-" is a row of none."""
Named = Mapping[str, Terms]
"""Terms by a name."""


class Kind(StrEnum):
    """The notation of a value."""

    TERMS = "terms"
    ROWS = "rows"
    NAMED = "named"
    FLAG = "flag"


def terms(doc: str) -> Terms:
    """A field of terms; `doc` says what they mean, for the reference and the skeleton."""
    return cast("Terms", field(default=(), metadata={"kind": Kind.TERMS, "doc": doc}))


def rows(doc: str, size: int | None = None, *, ordered: bool = True) -> Rows:
    """A field of rows, of which there are exactly `size` unless there are none.

    To rows without an order a pack of one's own can add some; others it replaces.
    """
    about = {"kind": Kind.ROWS, "doc": doc, "size": size, "ordered": ordered}
    return cast("Rows", field(default=(), metadata=about))


def named(doc: str, names: frozenset[str] | None = None) -> Named:
    """A field of terms by name; only `names` are known, if given."""
    about = {"kind": Kind.NAMED, "doc": doc, "names": names}
    return cast("Named", field(default_factory=dict, metadata=about))


def flag(doc: str) -> bool:
    """A field that is true or false; false by default."""
    return field(default=False, metadata={"kind": Kind.FLAG, "doc": doc})


GAP = ".."
STAR = "*"
COMMENT = "#"
BETWEEN = ";"
"""Between two rows on one line."""
NONE = "-"
"""A row without terms."""
MAX_GAP = 5
"""Most words that `..` stands for."""
_LEAST_LETTERS = 2
"""In a term with a `*`; one letter with any ending is half of a dictionary."""
_STARRED = re.compile(r"\*[^*]+|[^*]+\*")


def lines_of(value: str) -> Iterator[tuple[int, str]]:
    """The lines of a value that hold something, with their numbers from 0."""
    for number, line in enumerate(value.split("\n")):
        if (stripped := line.strip()) and not stripped.startswith(COMMENT):
            yield number, stripped


def rows_of(value: str) -> Iterator[tuple[int, str]]:
    """The rows of a value, each with the number of its line from 0."""
    for number, line in lines_of(value):
        yield from ((number, row) for part in line.split(BETWEEN) if (row := part.strip()))


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
