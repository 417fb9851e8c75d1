"""Detects complete, impersonal questions of general knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from recollect.memory.language import Hit, is_shouting
from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

_MAX_WORDS = 70
_NOUN_PHRASE = 3
"""Words after an article that can belong to its noun."""
_YEAR = regex.compile(r"1\d\d\d|20(?:0\d|1[0-5])")
"""A year of history: what happened in later ones may have happened to the user."""


def is_fact(reading: Reading) -> bool:
    """Whether it asks, has the words or the shape of general knowledge, and names nobody unknown.

    A shape is not enough if it is about a definite thing; an open request anywhere decides against.
    """
    if len(reading.scan.words) > _MAX_WORDS or reading.open_requests():
        return False
    shape = _shape(reading)
    if not reading.has(Cue.OPENER, Cue.STRONG) or _names_unknown(reading, shape):
        return False
    if _known_words(reading, shape):
        return True
    return bool(shape) and not _points_elsewhere(reading) and not _is_definite(reading)


def _shape(reading: Reading) -> list[Hit]:
    """The shapes of such a question; "how do I" proves nothing."""
    frames = (hit for hit in reading.scan.found(Cue.FRAME) if not hit.skipped)
    framed = {i for hit in frames for i in range(hit.start, hit.end)}
    return [hit for hit in reading.scan.found(Cue.STRONG) if hit.end - 1 not in framed]


def _points_elsewhere(reading: Reading) -> bool:
    """Whether a pronoun means something that the user alone may know ("who wrote it").

    With supplied text it means that.
    """
    settled = reading.scan.covered(Cue.STRONG)
    return not reading.material.supplied and any(
        hit.start not in settled for hit in reading.scan.found(Cue.ANAPHORA)
    )


def _known_words(reading: Reading, shape: list[Hit]) -> bool:
    """Whether there is vocabulary of general knowledge outside the shape, or a year of history."""
    shaped = {i for hit in shape for i in range(hit.start, hit.end)}
    return any(hit.start not in shaped for hit in reading.scan.found(Cue.GENERAL)) or any(
        _YEAR.fullmatch(word) and not _is_dated(reading.scan.raw[max(0, i - 2) : i])
        for i, word in enumerate(reading.scan.raw)
    )


def _is_dated(before: Sequence[str]) -> bool:
    """Whether two numbers stand before a year: a date in digits is a day in a life."""
    return len(before) > 1 and all(map(str.isdigit, before))


def _names_unknown(reading: Reading, shape: list[Hit]) -> bool:
    """Whether a capitalised word is no general vocabulary: it may be somebody the user knows.

    False in languages that write all nouns like names.
    """
    scan = reading.scan
    if reading.nouns_have_capitals or is_shouting(scan.raw):
        return False
    known = scan.covered(Cue.GENERAL, Cue.UNIT) | scan.clause_starts | scan.stop
    known.update(_led_to(reading, shape))
    return any(
        len(word) > 1 and word.istitle() and i not in known for i, word in enumerate(scan.raw)
    )


def _led_to(reading: Reading, shape: list[Hit]) -> Iterator[int]:
    """Indexes of the name that a shape leads to ("who painted", "capital of"), if it owns nothing.

    A shape of function words alone leads to anything, and after "when" people do something.
    """
    scan = reading.scan
    helping = scan.stop | scan.covered(Cue.OPENER)
    for hit in shape:
        leads = hit.start not in reading.times and not helping.issuperset(hit.own)
        at = hit.end if leads else len(scan.raw)
        while at < len(scan.raw) and (at in scan.stop or scan.raw[at].istitle()):
            if scan.words[at + 1 : at + 2] != ["'s"]:
                yield at
            at += 1


def _is_definite(reading: Reading) -> bool:
    """Whether it is about a definite thing that the user knows: "the logo".

    "The exact boiling point" is of the shape itself.
    """
    scan = reading.scan
    shaped = scan.covered(Cue.STRONG)
    return any(
        hit.end < len(scan.raw)
        and not scan.raw[hit.end][0].isupper()
        and hit.end not in scan.stop
        and shaped.isdisjoint(range(hit.end, hit.end + _NOUN_PHRASE))
        for hit in scan.found(Cue.ARTICLE)
    )
