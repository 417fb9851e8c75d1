"""A judged message and its cues."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import regex

from ..registry import packs
from ..requests import Cue, CueScan, cues_of
from ..scanner import scan
from ..vocabulary import Hit
from .material import Material

_DIGIT = regex.compile(r"\p{N}")
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

    @property
    def has_case(self) -> bool:
        """Whether the message is in a script with capitals."""
        return any(word[0].islower() or word[0].isupper() for word in self.scan.raw)

    @cached_property
    def times(self) -> set[int]:
        """Indexes of words that ask for a time ("when")."""
        hits = scan(self.material.asked).found("calendar.asks", "calendar.asks_first")
        return {hit.start for hit in hits}

    def open_requests(self, beside: Sequence[Hit] = ()) -> bool:
        """Whether there is a request that may depend on the user, apart from these hits."""
        taken = {i for hit in beside for i in range(hit.start, hit.end)}
        wanted = [*self.requests(Cue.TASK), *self.scan.found(Cue.ADVICE)]
        return any(taken.isdisjoint(range(hit.start, hit.end)) for hit in wanted)

    @property
    def nouns_have_capitals(self) -> bool:
        """Whether capitals may just mean nouns."""
        return any(packs()[code].words.capitalised_nouns for code in self.scan.languages)
