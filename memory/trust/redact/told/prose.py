# ruff: noqa: RUF001 - word lists and patterns of many scripts
"""Finds passwords, PINs, keys and phrases in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import regex

from ..findings import Finding
from ..formats.shapes import Shape, shape
from ..formats.view import View
from .nouns import Noun
from .places import Place, places
from .said_before import find_before
from .sentences import SENTENCE_END
from .told import NEAR, SECRET_NOUNS, WORDED, continues, is_general, is_told
from .wordruns import find_digit_words, find_phrase

KINDS = {
    Noun.PHRASE: "phrase",
    Noun.PASSWORD: "password",
    Noun.CODES: "code",
    Noun.PIN: "code",
    Noun.OPENING: "code",
    Noun.KEY: "api_key",
    Noun.RESET: "password",
    Noun.WALLET: "phrase",
    Noun.WEAK: "password",
    Noun.LOGIN: "password",
}
"""The kind of finding for each noun. Of several nouns the first in this order decides."""
_REACH = {Noun.PHRASE: 320, Noun.CODES: 600, Noun.WEAK: 60}
_USUAL_REACH = 140
_CARRIED = 40
"""A noun up to this distance before another one still counts: "PIN and password are ..."."""
_CHAIN = regex.compile(
    r"[\s,;/|&+、，.\d)•*\-]*(?:and|or|then|und|oder|y|o|u|et|ou|e|en|of|и|или|和|或|と|や|और|या|و|او)?[\s、]*[\"'“„]?"
)
_HALF = regex.compile(r"[/:]([^\s/:,;\"'`()|<>]{5,40})(?![/:\w])")
"""The other half of `admin/...`."""
_SEED_SPACES = 11
"""The shortest seed phrase has twelve words."""


def find_spoken(view: View, nouns: Sequence[regex.Match[str]]) -> Iterator[Finding]:
    """Values of the text's `nouns` in sentences of many languages."""
    low = view.low
    carried: frozenset[Noun] = frozenset()
    previous = 0
    for match, following in zip(nouns, [*nouns[1:], None], strict=True):
        noun = Noun[str(match.lastgroup).rstrip("_")]
        near = match.start() - previous < _CARRIED
        kinds = (carried if near else frozenset()) | {noun}
        stop = min(match.end() + _REACH.get(noun, _USUAL_REACH), len(low))
        end = min(stop, following.start()) if following else stop
        found = list(_after(view, kinds, match, end))
        yield from found
        if not found and match.start() - previous > 3:  # noqa: PLR2004 - the shortest "X: "
            yield from find_before(view, KINDS[noun], noun, previous, match.start())
        carried = frozenset() if found else kinds
        previous = match.end()


def _after(
    view: View, nouns: frozenset[Noun], match: regex.Match[str], end: int
) -> Iterator[Finding]:
    """Values between a noun's end and `end`."""
    if end - match.end() < 2:  # noqa: PLR2004 - nothing fits
        return
    kind = KINDS[_first(nouns)]
    noun_text, last = match.group(), 0
    if Noun.LOGIN in nouns:
        half = _HALF.match(view.text, match.end())
        if half and shape(half[1]) >= (Shape.STRONG if "/" in half[0] else Shape.LIKELY):
            yield Finding(*half.span(1), "password")
            last = half.end()
    for place in places(view, match.end(), end):
        worded = not last and place.tie.sign and nouns & WORDED
        run = _run(view, nouns, place) if worded else None
        if run:
            yield Finding(place.start, run, kind)
            return
        chained = last and _CHAIN.fullmatch(view.low, last, place.start)
        if (chained and continues(place)) or is_told(view, nouns, noun_text, place, again=last > 0):
            end_of_value = place.end + (view.text[place.end : place.end + 1] == "!")
            yield Finding(place.start, end_of_value, kind)
            last = place.end
            continue
        run = None if last or worded else _run(view, nouns, place)
        if run:
            yield Finding(place.start, run, kind)
            return
        paired = _of_pair(nouns, place)
        if paired:
            yield paired
            last = paired.end


@cache
def _first(nouns: frozenset[Noun]) -> Noun:
    return next(noun for noun in KINDS if noun in nouns)


def _run(view: View, nouns: frozenset[Noun], place: Place) -> int | None:
    """The end of a phrase or a number in words that begins at `place`, or None."""
    named = Noun.PHRASE in nouns or Noun.WALLET in nouns
    named = named or (Noun.PASSWORD in nouns and place.tie.sign)
    if not nouns & SECRET_NOUNS and not named:
        return None
    if not place.tie.plain and (not named or place.between.strip(" \n\t")):
        return None
    end = find_digit_words(view.low, place.start) or find_phrase(view, place.start, named=named)
    if end and not nouns & SECRET_NOUNS and view.text.count(" ", place.start, end) < _SEED_SPACES:
        return None
    if end is None or SENTENCE_END.search(place.between) or is_general(place):
        return None
    return end


def _of_pair(nouns: frozenset[Noun], place: Place) -> Finding | None:
    """The second half of `user/password`, `user:password` or `user / password`."""
    if Noun.LOGIN not in nouns or "://" in place.word:
        return None
    for sign in "/:|":
        user, cut, value = place.word.partition(sign)
        if cut and user and value and shape(value) >= Shape.LIKELY and shape(user) < Shape.STRONG:
            return Finding(place.start + len(user) + 1, place.end, "password")
    lines = place.between.rstrip(" \"'`*-")
    if lines.endswith("\n") and len(lines) <= NEAR and shape(place.word) >= Shape.STRONG:
        return Finding(place.start, place.end, "password")
    apart = place.between.rstrip().endswith(
        ("/", "|", ",", " and", " und", " y", " et", " e", " with", " mit")
    )
    if apart and shape(place.word) >= Shape.STRONG and len(place.between) <= NEAR:
        return Finding(place.start, place.end, "password")
    return None
