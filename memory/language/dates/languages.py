"""Chooses the languages in which the dates of a text are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..detect import ANY, languages_by_script
from ..registry import from_packs, packs
from ..scripts import letters_by_script
from ..words import UNSPACED
from .kinds import DateReading
from .reading import read
from .vocabulary import WORD, DateWords, build

_UNSPACED_SCRIPTS = ("han", "kana")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD_OR_NUMBER = re.compile(rf"\d[0-9A-Za-z_]*|({WORD.pattern})")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d)")
_ASCII_WORD = re.compile("[a-z]+")


@dataclass(frozen=True, slots=True)
class _Known:
    """The vocabularies of all packs."""

    spaced: Mapping[str, DateWords]
    """By language; of two equally likely ones the first is tried first."""
    unspaced: DateWords
    """Of the languages without blanks, which share most of their words."""
    digits: DateWords
    """Of no language: dates in digits."""
    telling: frozenset[str]
    telling_unspaced: re.Pattern[str]


@from_packs
def _known() -> _Known:
    shared = packs()[ANY].calendar
    order = [code for codes in languages_by_script().values() for code in codes if code in packs()]
    spaced = {
        code: build(calendar, shared, frequent=(*pack.words.stop, *pack.words.common))
        for code, pack in ((code, packs()[code]) for code in order)
        if (calendar := pack.calendar).units and pack.script not in _UNSPACED_SCRIPTS
    }
    unspaced = build(
        *(
            pack.calendar
            for script in _UNSPACED_SCRIPTS
            for pack in packs().values()
            if pack.script == script
        ),
        shared,
    )
    return _Known(
        spaced,
        unspaced,
        build(shared),
        frozenset[str]().union(*(known.telling for known in spaced.values())),
        re.compile("|".join(map(re.escape, sorted(unspaced.telling)))),
    )


def readings_of(text: str) -> Iterator[DateReading]:
    """The text read in its most likely language, or in several equally likely ones.

    Yields nothing for a text without a word or digit that may belong to a time.
    """
    known = _known()
    if not text.isascii() and _UNSPACED.search(text):
        yield read(text, known.unspaced)
    words = {word.lower() for word in _WORD_OR_NUMBER.findall(text)}
    digits = "" in words
    if not digits and known.telling.isdisjoint(words):
        return
    votes = {code: len(one.known & words) for code, one in known.spaced.items()}
    most = max(votes.values())
    if not most:
        # Signs are written onto the digits: 2024년 3월.
        scripts = letters_by_script(text).keys() - {"latin"}
        own = [one for code, one in known.spaced.items() if packs()[code].script in scripts]
        yield from (read(text, one) for one in own or [known.digits])
        return
    for code, count in votes.items():
        if count == most and (digits or not known.spaced[code].telling.isdisjoint(words)):
            yield read(text, known.spaced[code])


def tells_time(text: str) -> bool:
    """Whether a text may name a time, judged by single words; fast enough for every memory."""
    if _YEAR.search(text):
        return True
    telling = _known().telling
    if text.isascii():
        # Four times as fast; a request waits while an index is built.
        return not telling.isdisjoint(_ASCII_WORD.findall(text.lower()))
    if _UNSPACED.search(text) and _known().telling_unspaced.search(text):
        return True
    return not telling.isdisjoint(WORD.findall(text.lower()))
