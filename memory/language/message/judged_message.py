"""A judged message and its cues, and whether it is nothing but a greeting or thanks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

import regex

from ..dates import periods
from ..registry import packs
from ..requests import Cue, CueScan, cues_of
from ..scanner import scan
from ..vocabulary import Hit
from .material import Material

_DIGIT = regex.compile(r"\p{N}")
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_LEAD_IN = (Cue.FRAME, Cue.GREET)


class Reading:
    """The asked part of a message, scanned once; every rule reads from here."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.scan: CueScan = cues_of(material.asked)

    def has(self, *cues: Cue) -> bool:
        """Whether any of these cues was found."""
        return self.scan.has(*cues)

    @cached_property
    def digits(self) -> bool:
        """Whether a number is stated."""
        return _DIGIT.search(self.material.asked) is not None

    def requests(self, cue: Cue) -> list[Hit]:
        """Hits of a request verb that are requests."""
        return [hit for hit in self.scan.found(cue) if self._leads(hit)]

    def _leads(self, hit: Hit) -> bool:
        """Whether a verb leads its clause, where nouns and verbs look the same (English)."""
        if not packs()[hit.language].requests.imperatives_lead:
            return True
        position = hit.start
        while position > 0 and position not in self.scan.clause_starts:
            position -= 1
            if position not in self._lead_ins:
                return False
        return True

    @cached_property
    def _lead_ins(self) -> set[int]:
        return self.scan.covered(*_LEAD_IN)

    @cached_property
    def times(self) -> set[int]:
        """Indexes of words that ask for a time ("when")."""
        hits = scan(self.material.asked).found("calendar.asks", "calendar.asks_first")
        return {hit.start for hit in hits}

    @property
    def names_stretch(self) -> bool:
        """Whether it names a stretch of time: "this month" is a time and no unit."""
        named = periods(self.material.asked, _ANY_DAY)
        return any(period.rule == "unit" for period in named)

    def open_requests(self, beside: Sequence[Hit] = ()) -> bool:
        """Whether there is a request that may depend on the user, apart from these hits."""
        taken = {i for hit in beside for i in range(hit.start, hit.end)}
        wanted = [*self.requests(Cue.TASK), *self.scan.found(Cue.ADVICE)]
        return any(taken.isdisjoint(range(hit.start, hit.end)) for hit in wanted)

    @property
    def nouns_have_capitals(self) -> bool:
        """Whether capitals may just mean nouns."""
        return any(packs()[code].words.capitalised_nouns for code in self.scan.languages)


_LONGEST = 25
"""Words of the longest message that is looked at as small talk."""
_MAX_SYMBOLS = 40
"""Characters of the longest message of emoji and punctuation only."""
_STRETCHED = regex.compile(r"(\p{L})\1{2,}+")
_LAUGHTER = regex.compile(r"(\p{L}{1,2})\1{2,20}+\p{L}?")
"""One or two letters again and again: hahaha, jajaja, kkkk, wwww."""


def is_social(reading: Reading, text: str) -> bool:
    """Whether nothing but greeting, thanks or acknowledgement was said."""
    found = reading.scan
    if not found.words:
        return 0 < len(text.strip()) <= _MAX_SYMBOLS and not reading.material.supplied
    if len(found.words) > _LONGEST or reading.material.supplied:
        return False
    if _covered(reading, allow_praise="?" not in text):
        return True
    plain = _STRETCHED.sub(r"\1", text)
    return plain != text and _covered(Reading(reading.material._replace(asked=plain)))


def laughs(reading: Reading) -> bool:
    """Whether a word is laughter."""
    return any(_LAUGHTER.fullmatch(word) for word in reading.scan.words)


def _covered(reading: Reading, *, allow_praise: bool = True) -> bool:
    found = reading.scan
    greeted = found.covered(Cue.GREET) | {
        i for i, word in enumerate(found.words) if _LAUGHTER.fullmatch(word)
    }
    around = found.covered(Cue.PRAISE) | (found.stop - found.covered(Cue.OPENER, Cue.KIN))
    said = greeted | around if allow_praise else greeted
    rest = [i for i in range(len(found.words)) if i not in said]
    return bool(greeted) and (not rest or _is_addressee(reading, rest, greeted))


def _is_addressee(reading: Reading, rest: list[int], greeted: set[int]) -> bool:
    """Whether the rest is one capitalised word right after a greeting, such as a name."""
    index = rest[0]
    return len(rest) == 1 and index - 1 in greeted and reading.scan.raw[index].istitle()
