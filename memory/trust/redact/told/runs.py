# ruff: noqa: RUF001 - apostrophes of several kinds
"""Finds secrets made of plain words: passphrases, seed phrases, numbers in words."""

from __future__ import annotations

import regex

from .prose import Prose

_LETTERS = r"[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,20})?+"
_RUN = regex.compile(rf"{_LETTERS}(?:\ {{1,2}}{_LETTERS}){{2,29}}+")
_NUMBER = r"(?:\(?\d{1,2}[.):]?\s{0,3})?+"
_LIST = regex.compile(
    rf"{_NUMBER}[^\W\d_]{{1,14}}(?:[\s,;|]{{1,4}}{_NUMBER}[^\W\d_]{{1,14}}){{5,23}}+"
)
_FEWEST, _LISTED = 3, 6
"""Words of a phrase, and of one that may have commas and numbers."""
_FEWEST_DIGITS, _MOST_DIGITS = 3, 16
_FUNCTION = 0.34
"""Most function words in a phrase that is named one, as a share."""


def digit_words(read: Prose, start: int) -> int | None:
    """The end of at least three words for digits that begin at a place; None without them."""
    words = read.seen.words
    first = last = read.words(start, start).start
    while last in read.digits and last - first < _MOST_DIGITS:
        last += 1
    return words.ends[last - 1] if last - first >= _FEWEST_DIGITS else None


def phrase(read: Prose, start: int, *, named: bool) -> int | None:
    """The end of three or more words that are not a sentence; None without them.

    `named`: the name is of a phrase, which may contain some function words, commas and numbers.
    """
    listed = _LIST.match(read.view.text, start) if named else None
    match = listed or _RUN.match(read.view.text, start)
    if match is None:
        return None
    words = read.words(start, match.end())
    said = [i for i in words if i in read.states and i not in read.digits]
    if not _ends(read, match.end()):
        return None
    if named and len(said) <= len(words) * _FUNCTION and words.start not in said[:1]:
        return match.end() if listed or len(words) >= _FEWEST else None
    stop = said[0] if said else words.stop
    return read.seen.words.ends[stop - 1] if stop - words.start >= _FEWEST else None


def _ends(read: Prose, end: int) -> bool:
    """Whether a phrase may end here: no address, no call goes on."""
    return read.view.text[end : end + 1] not in (":", "/", "(", "=", "_", "@")
