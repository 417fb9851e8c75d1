"""A judged message and its cues."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import regex

from ..registry import from_packs, packs
from ..requests import Cue, CueScan, cues_of
from ..scan import scan
from ..vocabulary import Hit
from ..words import folded_word
from .material import Material

_DIGIT = regex.compile(r"\p{N}")
_LEAD_IN = (Cue.FRAME, Cue.GREET, Cue.POLITE)


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

    @property
    def times(self) -> list[Hit]:
        """Words that ask for a time ("when")."""
        return scan(self.material.asked).found("calendar.asks", "calendar.asks_first")

    @cached_property
    def labels(self) -> set[int]:
        """Indexes of numbers that name one of several things ("tank 2"), after a common noun."""
        scan = self.scan
        amounts = scan.covered(Cue.UNIT, Cue.CALC, Cue.GENERAL)
        return {
            i
            for i, word in enumerate(scan.raw)
            if word.isdecimal()
            and i not in scan.clause_starts
            and scan.raw[i - 1].isalpha()
            and amounts.isdisjoint((i - 1, i + 1))
            and i - 1 not in scan.stop
        }

    def open_requests(self, beside: Sequence[Hit] = ()) -> bool:
        """Whether there is a request that may depend on the user, apart from these hits."""
        taken = {i for hit in beside for i in range(hit.start, hit.end)}
        wanted = [*self.requests(Cue.TASK), *self.scan.found(Cue.ADVICE)]
        return any(taken.isdisjoint(range(hit.start, hit.end)) for hit in wanted)

    @cached_property
    def lone_names(self) -> list[int]:
        """Indexes of first names without a surname: people the user knows."""
        raw, words = self.scan.raw, self.scan.words
        return [
            hit.start
            for hit in self.scan.found(Cue.NAME)
            if (raw[hit.start][0].isupper() or words[hit.end : hit.end + 1] == ["'s"])
            and (self.nouns_have_capitals or not self._capital(self._before(hit.start), hit.start))
            and not self._capital(hit.end, hit.end)
        ]

    @property
    def nouns_have_capitals(self) -> bool:
        """Whether capitals may just mean nouns."""
        return any(packs()[code].words.capitalised_nouns for code in self.scan.languages)

    def _before(self, index: int) -> int:
        """The word before, across the particles inside names ("Senhora de Fátima")."""
        particle = index > 1 and self.scan.words[index - 1] in _name_particles()
        return index - 2 if particle else index - 1

    def _capital(self, index: int, boundary: int) -> bool:
        """Whether the neighbour at `index` is capitalised and in the same clause."""
        scan = self.scan
        return (
            0 <= index < len(scan.raw)
            and boundary not in scan.clause_starts
            and index not in scan.clause_starts
            and scan.raw[index][0].isupper()
        )

    @cached_property
    def acquainted(self) -> bool:
        """Whether people, places or things of the user's life are mentioned."""
        return self.has(Cue.PRIVATE) or bool(self.lone_names)

    def residue(self, *cues: Cue) -> list[int]:
        """Indexes of content words outside these cues: what a question is about."""
        covered = self.scan.covered(*cues)
        return [
            i
            for i in range(len(self.scan.words))
            if i not in covered and i not in self.scan.stop and self.scan.words[i] != "'s"
        ]


@from_packs
def _name_particles() -> frozenset[str]:
    """What may stand inside a name in lower case, in any language."""
    return frozenset(
        folded_word(word) for pack in packs().values() for word in pack.words.name_particles
    )
