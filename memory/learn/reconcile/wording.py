"""What the packs say about one language, ready for looking words up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...language import LanguagePack, from_packs, packs
from ...language.analysis.stems import stem, stemming_language
from ...language.detect import UNKNOWN
from ...language.fields import Rows, Terms
from ...language.fold import fold
from ...language.function_words import FALLBACK
from ...language.words import folded_words

_LEFT = 2
"""Letters that are left of a word without its particle."""
_UNSPACED = frozenset({"han", "kana"})


class Mark(StrEnum):
    """What a statement does besides stating; each is a field of the section `changes`."""

    CEASED = "ceased"
    CHANGED = "changed"
    ADDED = "added"
    INTENDED = "intended"
    NEGATED = "negated"


@dataclass(frozen=True, slots=True, eq=False)
class StatementWords:
    """One language. Words are folded; stems are by the language's own rules."""

    code: str
    readable: bool
    """Whether there are words of change; without them only numbers and names are compared."""
    latin: bool
    spaced: bool
    capital_nouns: bool
    stop: frozenset[str]
    light: frozenset[str]
    """Stems of words that name nothing."""
    same: Mapping[str, frozenset[int]]
    """Stem to the groups of words that may stand for it."""
    dates: Mapping[tuple[str, ...], str]
    """The words of a month or weekday to its name here ("month5", "day1")."""
    weak_dates: Mapping[tuple[str, ...], str]
    """The same for words that are dates only with a capital ("May")."""
    counts: Mapping[str, str]
    """Number words to digits."""
    negated: frozenset[str]
    """Words that are a negation as they stand."""
    function: frozenset[str]
    """Stems of function words that begin a phrase: no articles, which begin a name."""
    endings: tuple[str, ...]
    """Particles at the end of words, the longest first."""
    denies_before: bool
    """Whether what was wrong stands before the word that says so."""
    ordinals: Mapping[str, int]
    """Ordinals of one word to their number."""

    def stem(self, word: str) -> str:
        """The stem of a folded word; scripts without blanks have none."""
        if not self.spaced:
            return word
        return _stem(self.code, self._bare(word) if self.endings else word)

    def _bare(self, word: str) -> str:
        """The word without a particle at its end."""
        long = (end for end in self.endings if len(word) >= len(end) + _LEFT)
        return word.removesuffix(next((end for end in long if word.endswith(end)), ""))

    def date(self, words: Sequence[str], raw: Sequence[str], at: int) -> tuple[str, int]:
        """The month or weekday that begins at a word, and its number of words; "" and 0 if none."""
        for size in (3, 2, 1):
            key = tuple(words[at : at + size])
            name = self.dates.get(key)
            if name is None and raw[at][:1].isupper():
                name = self.weak_dates.get(key)
            if name is not None and len(key) == size:
                return name, size
        return "", 0


@from_packs
def _made() -> dict[str, StatementWords]:
    return {}


def wording_of(language: str) -> StatementWords:
    """The words of a language, none if it has no pack; of an unknown one those of `FALLBACK`."""
    made = _made()
    if language not in made:
        empty = LanguagePack(code=language, name=language, script="latin")
        made[language] = _make(packs().get(FALLBACK if language == UNKNOWN else language, empty))
    return made[language]


def _make(pack: LanguagePack) -> StatementWords:
    calendar, changes, words = pack.calendar, pack.changes, pack.words
    groups: dict[str, set[int]] = {}
    for number, row in enumerate(changes.same):
        for word in row:
            groups.setdefault(_stem(pack.code, fold(word)), set()).add(number)
    return StatementWords(
        code=pack.code,
        readable=bool(changes.ceased),
        latin=pack.script == "latin",
        spaced=pack.script not in _UNSPACED,
        capital_nouns=pack.words.capitalised_nouns,
        stop=frozenset(map(fold, (*words.stop, *"".join(words.stop_characters)))),
        light=_stems(pack.code, changes.light),
        same={word: frozenset(numbers) for word, numbers in groups.items()},
        dates=_dates(calendar.months, calendar.weekdays) | _dates((), changes.habits),
        weak_dates=_dates(calendar.weak_months, calendar.weak_weekdays),
        counts=_counts(calendar.numbers, calendar.tens),
        negated=frozenset(map(fold, changes.negated)),
        function=_stems(pack.code, words.stop) - _stems(pack.code, changes.lead),
        endings=tuple(sorted(map(fold, changes.endings), key=len, reverse=True)),
        denies_before=bool(changes.denies_before),
        ordinals={fold(w): n for n, row in enumerate(calendar.ordinals, 1) for w in row},
    )


def _stems(language: str, words: Terms) -> frozenset[str]:
    return frozenset(_stem(language, fold(word)) for word in words)


def _counts(numbers: Rows, tens: Rows) -> dict[str, str]:
    values = [*enumerate(numbers, 2), *((10 * n, row) for n, row in enumerate(tens, 3))]
    return {fold(word): str(value) for value, row in values for word in row}


def _stem(language: str, word: str) -> str:
    return fold(stem(stemming_language(language, word), word))


def _dates(months: Rows, weekdays: Rows) -> dict[tuple[str, ...], str]:
    return {
        tuple(folded_words(word)): f"{kind}{number}"
        for kind, rows in (("month", months), ("day", weekdays))
        for number, row in enumerate(rows, 1)
        for word in row
    }
