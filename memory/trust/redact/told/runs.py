# ruff: noqa: RUF001 - apostrophes of several kinds
"""Finds secrets made of plain words: passphrases, seed phrases, numbers in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import regex

from ....language import ANY, from_packs, packs
from .prose import Prose

_LETTERS = r"[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,20})?+"
_RUN = regex.compile(rf"{_LETTERS}(?:\ {{1,2}}{_LETTERS}){{2,29}}+")
_NUMBER = r"(?:\(?\d{1,2}[.):]?\s{0,3})?+"
_LIST = regex.compile(
    rf"{_NUMBER}[^\W\d_]{{1,14}}(?:[\s,;|]{{1,4}}{_NUMBER}[^\W\d_]{{1,14}}){{5,23}}+"
)
_MOST_DIGITS = 16
_FUNCTION = 0.34
"""Most function words in a phrase that is named one, as a share."""


def phrase(read: Prose, start: int) -> int | None:
    """The end of three or more words, few of them function words; None without them.

    Words of a list may have commas and numbers.
    """
    listed = _LIST.match(read.view.text, start)
    match = listed or _RUN.match(read.view.text, start)
    if match is None:
        return None
    words = read.words(start, match.end())
    said = [word for word in words if word in read.joins and word not in read.digits]
    if len(said) > len(words) * _FUNCTION or words.start in said:
        return None
    return match.end()


_DOT = "・"
"""Between Japanese numerals."""
_GLYPHS = regex.compile(r"(?<!\p{Han} )\p{Han}(?: \p{Han}){11,23}+")
_COLONS = (":", "：")
_SEEDS = frozenset({12, 15, 18, 21, 24})
"""Words of a recovery phrase (BIP 39)."""


def seeds(read: Prose) -> Iterator[tuple[int, int]]:
    """Recovery phrases that nothing names: twelve or more words behind a colon that say nothing."""
    for found in _GLYPHS.finditer(read.view.text) if not read.view.text.isascii() else ():
        yield found.span()
    words = read.seen.words
    starts = sorted({*words.clause_starts, len(words.raw)})
    for first, last in pairwise(starts):
        if last - first in _SEEDS and _is_seed(read, first, last):
            yield words.starts[first], words.ends[last - 1]


def _is_seed(read: Prose, first: int, last: int) -> bool:
    """Whether these words are all different, in lower case, apart, and none of a grammar."""
    words = read.seen.words
    raw = words.raw[first:last]
    start = words.starts[first]
    if not read.view.text[max(0, start - 3) : start].rstrip().endswith(_COLONS):
        return False
    if len(set(raw)) < len(raw) - 1:
        return False
    if not all(word.isalpha() and word == word.lower() for word in raw):
        return False
    between = zip(words.ends[first : last - 1], words.starts[first + 1 : last], strict=True)
    if not all(read.view.text[end:start].isspace() for end, start in between):
        return False
    if read.spoken <= {ANY}:  # nobody knows the words of its grammar
        return False
    return len(read.joins.intersection(range(first, last))) <= 1


def number_words(read: Prose, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Runs of words for numbers between two words: where each begins and ends, and its length.

    Function words may stand between two of them ("four times the eight"). A word of digits that are
    written together counts as many.
    """
    known = read.digits
    clauses = read.seen.words.clause_starts
    at = first
    while at < last:
        joined = _digits_in(read.seen.words.folded[at])
        if at not in known and not joined:
            at += 1
            continue
        end, count = at + 1, joined or 1
        for word in range(at + 1, min(last, at + _MOST_DIGITS)):
            if word in known:
                end, count = word + 1, count + 1
            elif read.seen.words.raw[word] == _DOT:
                continue
            elif word not in read.joins or word > end or word in clauses:
                break
        yield at, end, count
        at = end


def _digits_in(word: str) -> int:
    """The length of a word that is made of characters for digits, else 0."""
    single = _single_digits()
    return len(word) if len(word) > 1 and single.issuperset(word) else 0


@from_packs
def _single_digits() -> frozenset[str]:
    return frozenset(
        term for pack in packs().values() for term in pack.secrets.digits if len(term) == 1
    )
