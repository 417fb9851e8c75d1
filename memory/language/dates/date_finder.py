"""Finds the times that a text names, in the languages that it may be in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import _lru_cache_wrapper, cache, lru_cache
from itertools import islice

from ..detect import ANY, languages_by_script
from ..registry import from_packs, packs
from ..scanner import scan
from ..scripts import letters_by_script
from ..vocabulary import Hit
from ..words import UNSPACED, Words
from .date_modifiers import relate
from .date_words import WORD, DateWords, build, normalise, read
from .kinds import GROUPS, KINDS, DatePiece, DateReading, Mention, compiled
from .period import Period
from .rules import PARTS, RULES
from .spans import clip

_CUES = GROUPS["cue"] + "f"
_KEEPS_CUE = frozenset(("ago", "in_days"))
_RULE = {rule.name: rule for rule in RULES}


@cache
def _grammar() -> re.Pattern[str]:
    named = "|".join(f"(?P<{rule.name}>(?:{{cue}}? )?(?:{rule.pattern}))" for rule in RULES)
    return re.compile(compiled(f"(?!{{word|stop|comma|figure}})(?:{named})", **PARTS))


def mentions(reading: DateReading, now: datetime) -> Iterator[Mention]:
    """The times in a text, in order; `now` is local."""
    for match in _grammar().finditer(reading.letters):
        name = match.lastgroup or ""
        start, end = match.span()
        piece = DatePiece(match[0], reading.values[start:end])
        if spans := _RULE[name].resolve(piece, now):
            if name not in _KEEPS_CUE:
                start += len(piece.letters) - len(piece.letters.lstrip(_CUES))
            yield Mention(start, end, spans, name)


_UNSPACED_SCRIPTS = ("han", "kana")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD_OR_NUMBER = re.compile(rf"\d[0-9A-Za-z_]*|({WORD.pattern})")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d)")
_ASCII_WORD = re.compile("[a-z]+")
_TELLING_NUMBER = re.compile(r"(?<!\d)(?!(?<!\S)\d{1,3}[.,;!?]?(?!\S))\d")
"""The start of a number that may be a time without a word beside it: no plain one below 1,000."""


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
    ordinals: frozenset[str]
    """Words for ordinal numbers, which are days behind a preposition."""
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
        frozenset(
            word
            for known in spaced.values()
            for first, phrases in known.phrases.items()
            for rest, entry in phrases
            if entry[0][0] == KINDS["ordinal"]
            for word in (first, *rest)
        ),
        re.compile("|".join(map(re.escape, sorted(unspaced.telling)))),
    )


def readings_of(text: str) -> Iterator[DateReading]:
    """The text read in its most likely language, or in several equally likely ones.

    Yields nothing for a text without a word or number that may belong to a time.
    """
    known = _known()
    if not text.isascii() and _UNSPACED.search(text):
        yield read(text, known.unspaced)
    if text.isascii():
        words = set(_WORD_OR_NUMBER.findall(text.lower()))
    else:
        words = {word.lower() for word in _WORD_OR_NUMBER.findall(text)}
    digits = "" in words
    if known.telling.isdisjoint(words):
        if not digits:
            return
        if known.ordinals.isdisjoint(words) and not _TELLING_NUMBER.search(text):
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


@from_packs
def _kept() -> _lru_cache_wrapper[tuple[DateReading, ...]]:
    """The last texts, read: programs and agents ask the same again. Nobody changes a reading."""
    return lru_cache(maxsize=_KEPT)(lambda text: tuple(readings_of(text)))


def forget_texts() -> None:
    """Clear the cache of texts; for benchmarks and tests."""
    _kept().cache_clear()


_KEPT = 128
LONGEST = 2000
"""Characters of a text that are read."""
MOST = 4
"""Periods that are returned."""
_MOST_FOUND = 8
"""Times that are resolved: some are joined, some are repeated."""


def periods(text: str, now: datetime) -> list[Period]:
    """The times a query names, resolved against `now` (aware; in the user's zone): at most 4.

    A month or weekday without a year is the most recent one, unless the query says "next".
    An ambiguous date (05/07/2023) gives a period for each reading. The first 2,000 characters are
    read. Any text without a time gives an empty list.
    """
    local = clip(now.replace(tzinfo=None, fold=0))
    for reading in _kept()(normalise(text, LONGEST)):
        if found := relate(reading, islice(mentions(reading, local), _MOST_FOUND), local):
            return _periods(reading, found, now.tzinfo or UTC)
    return []


def _periods(reading: DateReading, found: Iterable[Mention], zone: tzinfo) -> list[Period]:
    result: dict[tuple[datetime, datetime], Period] = {}
    for one in found:
        words = reading.text[reading.starts[one.start] : reading.ends[one.end - 1]]
        for start, end in one.spans:
            period = Period(start.replace(tzinfo=zone), end.replace(tzinfo=zone), words, one.rule)
            # A period in the hour that daylight saving skips is empty.
            if period.start.timestamp() < period.end.timestamp():
                result.setdefault((start, end), period)
    return list(result.values())[:MOST]


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
