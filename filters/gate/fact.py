"""Detects complete, impersonal questions of general knowledge."""

from __future__ import annotations

import regex

from recollect.memory.language import Hit, is_acronym, is_shouting
from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

from .kinds import capitals_tell, is_particular, kinds_of_answer
from .names import acts, is_full_name, is_lone, owns, unknown_names

_MAX_WORDS = 70
_STRONG = 2
_MOST_GENERAL = 3
_ENOUGH = 1
_BESIDE_NAME, _BESIDE_FULL_NAME = 3, 2
"""Evidence that is needed beside a name that may be an acquaintance's."""
_ANTECEDENTS = 2
"""Content words before a pronoun from which it counts as referring to the message itself."""
_NOUN_PHRASE = 3
"""Words after an article that can belong to its noun."""
_CODE = regex.compile(r"[\[\]{}]|\w\(|==|=>")
_YEAR = regex.compile(r"1\d\d\d|20(?:0\d|1[0-5])")
"""A year of history: what happened in later ones may have happened to the user."""


def is_fact(reading: Reading) -> bool:
    """Whether cues of general knowledge outweigh cues of the user's own life.

    Only sentences with a question count. Other sentences must not mention the user's own life, and
    an open request anywhere decides against.
    """
    if len(reading.scan.words) > _MAX_WORDS or reading.open_requests() or reading.lone_names:
        return False
    asked = _question_words(reading)
    if not asked or any(hit.start not in asked for hit in reading.scan.found(Cue.PRIVATE)):
        return False
    names = unknown_names(reading, asked)
    evidence = _evidence(reading, asked)
    doubt = _doubt(reading, asked)
    if any(is_lone(reading, i) for i in names):
        return evidence - doubt >= _BESIDE_NAME and not owns(reading, names)
    if names and (evidence < _BESIDE_FULL_NAME or acts(reading, names) or owns(reading, names)):
        return False
    evidence += any(is_full_name(reading, i) for i in asked)
    return evidence + bool(evidence and reading.material.code) - doubt >= _ENOUGH


def _question_words(reading: Reading) -> set[int]:
    """Indexes of the words of sentences that ask for information."""
    openers = {hit.start for hit in reading.scan.found(Cue.OPENER, Cue.STRONG, Cue.HOWTO)}
    return {
        i
        for start, end in reading.scan.sentences
        if not openers.isdisjoint(range(start, end))
        for i in range(start, end)
    }


def _hits(reading: Reading, asked: set[int], *cues: Cue) -> list[Hit]:
    return [hit for hit in reading.scan.found(*cues) if hit.start in asked]


def _evidence(reading: Reading, asked: set[int]) -> int:
    generic = reading.scan.covered(Cue.HOWTO)  # "how do I" has the shape, but proves nothing
    kinds = set() if capitals_tell(reading) else kinds_of_answer(reading)
    openers = reading.scan.covered(Cue.OPENER)
    strong = [
        hit
        for hit in _hits(reading, asked, Cue.STRONG)
        if hit.end - 1 not in generic and (hit.end - 1 not in kinds or hit.start not in openers)
    ]
    framed = {i for hit in strong for i in range(hit.start, hit.end)}
    general = _apart(_hits(reading, asked, Cue.GENERAL, Cue.TECH), framed)
    general |= {i for i in asked if _is_telling(reading, i)}
    if kinds and not strong and general <= kinds and is_particular(reading, asked):
        return 0
    # "How do I undo a commit" asks about computing; a bare "function" may be the user's own.
    coding = generic or reading.material.inline_code or _CODE.search(reading.material.asked)
    own = () if coding else (Cue.TECH, Cue.ARTEFACT)
    common = reading.scan.covered(Cue.EVERYDAY, Cue.OPENER, *own)
    # A quoted title makes a film or a song one of the world's.
    doubtful = bool(general) and general <= common and not reading.material.quoted
    known = len(general) - doubtful
    return (_STRONG if strong else 0) + min(_MOST_GENERAL, known)


def _apart(hits: list[Hit], taken: set[int]) -> set[int]:
    """The starts of hits that overlap neither each other nor `taken`."""
    starts: set[int] = set()
    end = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if hit.start >= end and hit.start not in taken:
            starts.add(hit.start)
            end = hit.end
    return starts


def _is_telling(reading: Reading, index: int) -> bool:
    """A year or an acronym; not the year of a date in digits, which is a day in a life."""
    word = reading.scan.raw[index]
    if is_acronym(word):
        return not word.isdigit() and not is_shouting(reading.scan.raw)
    day = reading.scan.raw[max(0, index - 2) : index]
    dated = index > 1 and all(map(str.isdigit, day))
    return _YEAR.fullmatch(word) is not None and not dated


def _doubt(reading: Reading, asked: set[int]) -> int:
    signs = (
        bool(_hits(reading, asked, Cue.PRIVATE)),
        _points_elsewhere(reading, asked),
        _is_definite(reading, asked),
        _is_numbered(reading, asked),
    )
    return _STRONG * sum(signs)


def _points_elsewhere(reading: Reading, asked: set[int]) -> bool:
    """Whether a pronoun has no antecedent in the message."""
    if reading.material.supplied:
        return False
    settled = reading.scan.covered(Cue.STRONG)
    content = reading.residue(Cue.OPENER, Cue.ANAPHORA, Cue.GREET, Cue.FRAME)
    return any(
        sum(i < hit.start for i in content) < _ANTECEDENTS
        for hit in _hits(reading, asked, Cue.ANAPHORA)
        if hit.start not in settled
    )


def _is_numbered(reading: Reading, asked: set[int]) -> bool:
    """Whether a thing has a number that only its owner gives ("room 4"); "Apollo 11" is a name."""
    raw = reading.scan.raw
    return any(raw[i - 1].islower() and not _is_telling(reading, i) for i in reading.labels & asked)


def _is_definite(reading: Reading, asked: set[int]) -> bool:
    """Whether an English question is about a definite thing ("the logo") that the user knows.

    False before general vocabulary ("the boiling point"). English only: other languages
    also use the article for things in general.
    """
    scan = reading.scan
    known = _known(reading)
    return any(
        hit.end in asked
        and not scan.raw[hit.end][0].isupper()
        and hit.end not in scan.stop
        and known.isdisjoint(range(hit.end, hit.end + _NOUN_PHRASE))
        for hit in scan.found(Cue.ARTICLE)
        if hit.language == "en"
    )


def _known(reading: Reading) -> set[int]:
    """Indexes of general vocabulary; a name next to it ("Ohm's law") counts as known."""
    return reading.scan.covered(Cue.GENERAL, Cue.STRONG, Cue.TECH, Cue.UNIT, Cue.LIVE)
