"""Parses a short statement by its words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import regex

from ...language import Hit, Scan, language_of, names_in, scan
from ...language.detect import UNKNOWN
from ...language.fold import clean, fold
from ...language.words import folded_words
from .canonical import canonical
from .denials import Denials
from .values import plain_values
from .wording import Mark, StatementWords, wording_of

MAX_CHARS = 400
"""Most characters that are read: a fact is a sentence or two."""
_QUANTITY = regex.compile(
    r"(?P<sign>[$€£¥₹])?\s?(?P<value>\d+(?::\d\d)?(?:\.\d+)?)\s?-?"
    r"(?P<unit>[%°$€£¥₹]|[万億亿千百]*\p{Han}|(?!\p{Han})\p{L}[\p{L}\p{M}]*)?"
)
_TIME = regex.compile(r"\d\d:\d\d")
_WORD = regex.compile(r"(?<![\w-])[\p{L}\p{M}]+(?!\w)")
_COMMAS = regex.compile("[,;\u3001\u060c\uff0c]")
_KATAKANA = regex.compile(r"[\p{Katakana}\u30fc]")
_HIRAGANA = regex.compile(r"\p{Hiragana}")
_KIN = "people.kin."
_POSTS = frozenset(_KIN + role for role in ("teacher", "doctor", "boss", "client"))
"""Relations that are occupations too: the user may be one."""
_CONTRASTS = "changes.contrasts."
_SINGLE = "changes.single."


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with the word it counts ("pages"), or "" without one."""

    value: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statement:
    """A parsed fact. Words are folded."""

    language: str
    wording: StatementWords
    canonical: str
    words: frozenset[str]
    order: tuple[str, ...]
    """The stems of all words but those for the user."""
    content: frozenset[str]
    """Stems of what it is about: no function words, cues, numbers, dates or relations."""
    quantities: tuple[Quantity, ...]
    calendar: frozenset[str]
    """Months, weekdays and times of day."""
    names: frozenset[str]
    """Proper names, folded; none in scripts without capitals."""
    roles: frozenset[str]
    """Relations that are mentioned."""
    holder: str | None
    """The relation whose fact it is; None for the user or if unknown."""
    told_of_user: bool
    """Whether it begins with the user."""
    contrasts: Mapping[str, frozenset[str]]
    """The mentioned values of each axis ("side": left)."""
    marks: frozenset[Mark]
    past: bool
    """Whether it tells an event rather than a state."""
    is_list: bool
    """Whether it has list items or several clauses."""
    frame: tuple[str, ...]
    """`order` without words of change."""
    single: Mapping[str, frozenset[str]]
    """The attributes that it tells one value of, and the words that tell so."""
    several: frozenset[str]
    """The words that may be true of several things at once."""
    denied: tuple[frozenset[str], ...]
    """What is said to have been wrong, as words."""
    replaced: tuple[tuple[str, ...], ...]
    """The words that follow each "switched from"."""
    ordinals: frozenset[int]
    """The first, the second of something."""
    called: frozenset[str]
    """The names that stand beside the holder."""

    @property
    def months(self) -> frozenset[str]:
        """The months in `calendar`."""
        return frozenset(item for item in self.calendar if item.startswith("month"))

    @property
    def numbers(self) -> list[str]:
        """The values of `quantities`, sorted as text."""
        return sorted(quantity.value for quantity in self.quantities)

    @property
    def dated(self) -> frozenset[str]:
        """The calendar with the numbers beside it; empty without a date."""
        return self.calendar and self.calendar.union(self.numbers)


def read(text: str, language: str) -> Statement:
    """Parse a statement with the words of a language."""
    return _Reader(text, wording_of(language)).statement(language)


def language_for(text: str, others: str = UNKNOWN) -> str:
    """The language of a short text, or `others` if it is unknown."""
    found = language_of(text)
    return others if found == UNKNOWN else found


class _Reader:
    """One text, its words, and the terms of one language in it."""

    def __init__(self, text: str, wording: StatementWords) -> None:
        self.wording = wording
        self.original = text
        self.text = _WORD.sub(
            lambda found: wording.counts.get(fold(found[0]), found[0]),
            plain_values(clean(text)[:MAX_CHARS]),
        )
        self.scan: Scan = scan(self.text)
        self.words: Sequence[str] = self.scan.words.folded
        self.hits = self._of_language("people", "changes")
        self._stems_by_word: dict[str, str] = {}
        self.kin = _longest(self._under(_KIN))
        self.user = self._covered("people.user", "people.first_person", "people.third_person")
        self.calendar, self.dated = self._calendar()
        self.names = self._names()
        self.holder = self._holder()

    def _of_language(self, *sections: str) -> dict[str, list[Hit]]:
        found: dict[str, list[Hit]] = {}
        for section in sections:
            for name, hits in self.scan.section(section).items():
                if own := [hit for hit in hits if hit.language == self.wording.code]:
                    found[name] = own
        return found

    def _stem(self, word: str) -> str:
        """The stem of a word, which is made once: most words are read several times."""
        stem = self._stems_by_word.get(word)
        if stem is None:
            stem = self._stems_by_word[word] = self.wording.stem(word)
        return stem

    def statement(self, language: str) -> Statement:
        replaced = Denials(self.scan, self.wording, self.hits).replaced()
        return Statement(
            language=language,
            wording=self.wording,
            canonical=canonical(self.original),
            words=frozenset(self.words),
            order=self._order(),
            content=self._content(),
            quantities=self._quantities(),
            calendar=self.calendar,
            names=self.names,
            roles=frozenset(hit.field.removeprefix(_KIN) for hit in self.kin),
            holder=self.holder,
            told_of_user=self._is_told_of_user(),
            contrasts=self._contrasts(),
            marks=self._marks(),
            past=bool(self._hits("changes.past")),
            is_list=bool(_COMMAS.search(self.text) or self._hits("changes.conjunctions")),
            frame=self._frame(),
            single=self._single(),
            several=self._stems(self._hits("changes.several")),
            denied=tuple(map(self._stemmed, self._denied())),
            replaced=tuple(tuple(self._stem(self.words[at]) for at in one) for one in replaced),
            ordinals=frozenset(filter(None, map(self.wording.ordinals.get, self.words))),
            called=self._called(),
        )

    def _stems(self, hits: Sequence[Hit]) -> frozenset[str]:
        return self._stemmed(word for hit in hits for word in hit.own)

    def _stemmed(self, places: Iterable[int]) -> frozenset[str]:
        words = (self.words[at] for at in places if at not in self.user)
        return frozenset(map(self._stem, words))

    def _denied(self) -> Iterator[list[int]]:
        found = Denials(self.scan, self.wording, self.hits)
        relatives = {word for hit in self.kin if hit.field not in _POSTS for word in hit.own}
        for places in chain(found.behind(), found.ahead()):
            if value := [at for at in places if at not in relatives]:
                yield value

    def _called(self) -> frozenset[str]:
        """The names behind a relation ("User's cat Pixel"); not of `is called Pixel`."""
        after = (hit.end for hit in self.kin if hit.end < len(self.words))
        return self.names & {self.words[at] for at in after if "'" not in self.words[at]}

    def _single(self) -> dict[str, frozenset[str]]:
        found: dict[str, list[Hit]] = {}
        for hit in self._under(_SINGLE):
            found.setdefault(hit.field.removeprefix(_SINGLE), []).append(hit)
        return {name: self._stems(hits) for name, hits in found.items()}

    def _hits(self, *names: str) -> list[Hit]:
        return [hit for name in names for hit in self.hits.get(name, ())]

    def _under(self, prefix: str) -> list[Hit]:
        return self._hits(*(name for name in self.hits if name.startswith(prefix)))

    def _covered(self, *names: str) -> set[int]:
        return {word for hit in self._hits(*names) for word in hit.own}

    def _marks(self) -> frozenset[Mark]:
        """The cues that are no part of a longer one: "no" is none in "no longer"."""
        hits = [(mark, {*hit.own}) for mark in Mark for hit in self._hits(f"changes.{mark}")]
        return frozenset(mark for mark, own in hits if not any(own < other for _, other in hits))

    def _contrasts(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for hit in self._under(_CONTRASTS):
            axis, value = hit.field.removeprefix(_CONTRASTS).split()
            found.setdefault(axis, set()).add(value)
        return {axis: frozenset(values) for axis, values in found.items()}

    def _calendar(self) -> tuple[frozenset[str], set[int]]:
        found, covered = set(_TIME.findall(self.text)), set[int]()
        for at in range(len(self.words)):
            name, size = self.wording.date(self.words, self.scan.words.raw, at)
            if name:
                found.add(name)
                covered.update(range(at, at + size))
        return frozenset(found), covered

    def _holder(self) -> str | None:
        """The relation at the head of the statement ("User's brother Felix ...")."""
        axes = [name for name in self.hits if name.startswith(_CONTRASTS)]
        lead = self.user | self._covered("changes.lead", *axes)
        heads = {hit.start: hit.field.removeprefix(_KIN) for hit in self.kin}
        first = next((at for at in range(len(self.words)) if at in heads or at not in lead), None)
        return heads.get(first) if first is not None else None

    def _is_told_of_user(self) -> bool:
        named = self._covered("people.user")
        lead = self._covered("changes.lead") - named
        first = next((at for at in range(len(self.words)) if at not in lead), None)
        return first in named and self.holder is None

    def _names(self) -> frozenset[str]:
        if self.wording.capital_nouns:
            return frozenset()
        others = {self.words[at] for at in self.user | self.dated} | self.wording.stop
        found = {word for name in names_in(self.text) for word in folded_words(name)}
        return frozenset(found - others)

    def _quantities(self) -> tuple[Quantity, ...]:
        return tuple(
            Quantity(found["value"].lstrip("0") or "0", self._unit(found["sign"] or found["unit"]))
            for found in _QUANTITY.finditer(self.text)
        )

    def _unit(self, word: str | None) -> str:
        unit = fold(word or "")
        if unit in self.wording.stop or self.wording.date([unit], [unit.title()], 0)[1]:
            return ""
        return self.wording.stem(unit)

    def _frame(self) -> tuple[str, ...]:
        away = self.user | self._covered("changes.changed")
        kept = [word for at, word in enumerate(self.words) if at not in away]
        return tuple(map(self._stem, kept if self.wording.spaced else _joined(kept)))

    def _order(self) -> tuple[str, ...]:
        kept = (word for at, word in enumerate(self.words) if at not in self.user)
        return tuple(map(self._stem, kept))

    def _content(self) -> frozenset[str]:
        away = self.user | self.dated | {word for hit in self.kin for word in hit.own}
        away |= self._covered(*(f"changes.{mark}" for mark in Mark))
        counted = {n for found in _QUANTITY.finditer(self.text) for n in range(*found.span())}
        pieces = [
            word
            for at, word in enumerate(self.words)
            if at not in away and self.scan.words.starts[at] not in counted
        ]
        pieces = _words(pieces) if self.wording.spaced else _pieces(pieces)
        stems = {self._stem(word) for word in pieces if word not in self.wording.stop}
        return frozenset(stems - self.wording.light)


def _longest(hits: Sequence[Hit]) -> list[Hit]:
    """Of hits that overlap the longest: 祖母 is a grandmother, not a mother."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _words(words: Sequence[str]) -> list[str]:
    """Words without what is elided before them or joined to them ("l'", "'s")."""
    return [word for word in words if len(word) > 1 and "'" not in word[-1] + word[0]]


def _pieces(characters: Sequence[str]) -> list[str]:
    """Words of katakana as one piece each; hiragana, which are mostly endings, are left out."""
    return [piece for piece in _joined(characters) if not _HIRAGANA.match(piece)]


def _joined(characters: Sequence[str]) -> list[str]:
    """Characters with those of a word of katakana as one piece."""
    pieces: list[str] = []
    inside = False
    for character in characters:
        katakana = _KATAKANA.match(character) is not None
        if katakana and inside:
            pieces[-1] += character
        else:
            pieces.append(character)
        inside = katakana
    return pieces
