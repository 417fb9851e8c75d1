"""Chooses the language in which dates are read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cjk import SCRIPT, CjkLexicon
from .lexicon import WORD, build
from .reading import read
from .symbols import SymbolText
from .tables import CJK, SPACED

_LEXICONS = {code: build(table) for code, table in SPACED.items()}
_CJK = CjkLexicon(CJK)
_TELLING = frozenset[str]().union(*(lexicon.telling for lexicon in _LEXICONS.values()))
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d)")
_CJK_TIME = re.compile("[\u5e74\u6708\u65e5\u5929\u9031\u5468\u6628\u4eca\u660e]")
"""Characters of year, month, day, week, yesterday, today and tomorrow."""
_ASCII_WORD = re.compile("[a-z]+")
_DEFAULT = "en"


def choose(text: str) -> Iterator[SymbolText]:
    """The text read in its most likely language, or in several equally likely ones.

    Yields nothing for a text without a word or digit that may belong to a time.
    """
    if not text.isascii() and SCRIPT.search(text):
        yield _CJK.read(text)
    words = {word.lower() for word in WORD.findall(text)}
    digits = _DIGIT.search(text) is not None
    if not digits and _TELLING.isdisjoint(words):
        return
    votes = {code: len(lexicon.known & words) for code, lexicon in _LEXICONS.items()}
    most = max(votes.values())
    if not most:
        yield read(text, _LEXICONS[_DEFAULT], day_first=False)
        return
    for code, count in votes.items():
        lexicon = _LEXICONS[code]
        if count == most and (digits or not lexicon.telling.isdisjoint(words)):
            yield read(text, lexicon, day_first=code != _DEFAULT)


def tells_time(text: str) -> bool:
    """Whether a text may name a time, judged by single words; fast enough for every memory."""
    if _YEAR.search(text):
        return True
    if text.isascii():
        # Four times as fast; a request waits while an index is built.
        return not _TELLING.isdisjoint(_ASCII_WORD.findall(text.lower()))
    return _CJK_TIME.search(text) is not None or not _TELLING.isdisjoint(WORD.findall(text.lower()))
