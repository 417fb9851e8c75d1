"""Finds the terms of all packs in a text, in one walk over its words.

A term is found in every language; whoever asks chooses the languages. A field is named by its
section and name ("planting.override"), and by its key or row where it has one
("people.kin.mother", "calendar.months.0").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from . import words as words_module
from .fields import Kind, Terms
from .pack import LanguagePack
from .registry import from_packs, packs
from .sections.secrets import BESIDE
from .syntax import GAP, MAX_GAP, STAR
from .words import KEPT_CHARS, Words, folded_words, words_of

SECTIONS = (
    "people", "requests", "changes", "planting", "secrets", "turns",
    "calendar.asks", "calendar.asks_first", "calendar.asks_last", "calendar.asks_not",
)  # fmt: skip
"""The sections that `scan` looks for, and single fields of others."""
_SHORTEST_BARE = 2
"""Letters that are left of a word without the particles that are written onto it."""


class Hit(NamedTuple):
    """A term of a field at the words ``start`` (inclusive) to ``end`` (exclusive)."""

    field: str
    language: str
    start: int
    end: int
    skipped: tuple[int, ...] = ()
    """The words that `..` stands for."""

    @property
    def own(self) -> list[int]:
        """The words that the term names."""
        return [word for word in range(self.start, self.end) if word not in self.skipped]


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """The words of a text, and the terms in them by field, in reading order."""

    words: Words
    by_field: Mapping[str, Sequence[Hit]]

    def found(self, *names: str) -> list[Hit]:
        """The hits of these fields, in reading order."""
        if len(names) == 1:
            return list(self.by_field.get(names[0], ()))
        return sorted(
            (hit for name in names for hit in self.by_field.get(name, ())),
            key=lambda hit: (hit.start, hit.end),
        )

    def has(self, *names: str) -> bool:
        """Whether there is a hit of one of these fields."""
        return any(name in self.by_field for name in names)

    def covered(self, *names: str) -> set[int]:
        """Indexes of the words inside hits of these fields."""
        return {i for name in names for hit in self.by_field.get(name, ())
                for i in range(hit.start, hit.end)}  # fmt: skip


@dataclass(slots=True, eq=False)
class _Node:
    """A place in the tree of terms: what ends here, and what may follow."""

    ends: list[tuple[str, str]] = field(default_factory=list)
    next: dict[str, _Node] = field(default_factory=dict)
    gap: _Node | None = None


_Reading = tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[_Node, ...]]
"""Of a word: the units that it is, the terms that it is alone, and where longer ones go on."""


class Vocabulary:
    """The terms of some sections of packs, ready to be found."""

    def __init__(
        self,
        known: Mapping[str, LanguagePack],
        sections: Sequence[str],
        without: Collection[str] = (),
    ) -> None:
        self._root = _Node()
        self._units: set[str] = set()
        self._stems: set[int] = set()
        self._attached = sorted({
            word
            for pack in known.values()
            for word in (*pack.words.attached, *pack.words.elided)
        }, key=len, reverse=True)  # fmt: skip
        for code, pack in known.items():
            for name, terms in terms_of(pack, sections):
                if name in without:
                    continue
                for term in terms:
                    self._add(units_of(term), name, code)
        self._read = lru_cache(maxsize=16_384)(self._reading)

    def _add(self, units: Sequence[str], name: str, code: str) -> None:
        node = self._root
        for unit in units:
            if unit == GAP:
                node.gap = node.gap or _Node()
                node = node.gap
                continue
            self._units.add(unit)
            if STAR in unit:
                self._stems.add(len(unit) - 1)
            node = node.next.setdefault(unit, _Node())
        if (name, code) not in node.ends:
            node.ends.append((name, code))

    def hits(self, words: Words) -> Iterator[Hit]:
        """Every term in `words`, by where it begins; linear in their number."""
        read = [self._read(word) for word in words.folded]
        of = [units for units, _, _ in read]
        for start, (_, ends, begun) in enumerate(read):
            for name, code in ends:
                yield Hit(name, code, start, start + 1)
            for node in begun:
                yield from _longer(node, of, start, start + 1)

    def _reading(self, word: str) -> _Reading:
        units = self._matching(word)
        nodes = [node for unit in units if (node := self._root.next.get(unit)) is not None]
        ends = tuple(end for node in nodes for end in node.ends)
        return units, ends, tuple(node for node in nodes if node.next or node.gap)

    def _matching(self, word: str) -> tuple[str, ...]:
        """The units of all terms that a folded word is."""
        found = [word] if word in self._units else []
        for size in self._stems:
            if size <= len(word):
                found += [
                    unit
                    for unit in (word[:size] + STAR, STAR + word[-size:])
                    if unit in self._units
                ]
        for particle in self._attached:
            bare = word.removeprefix(particle)
            if bare != word and len(bare) >= _SHORTEST_BARE:
                found += [unit for unit in self._matching(bare) if unit not in found]
        return tuple(found)


def _longer(node: _Node, of: Sequence[Sequence[str]], start: int, at: int) -> list[Hit]:
    """The terms that end behind `at`, of those that begin at `start` and led to `node`."""
    found: list[Hit] = []
    if node.next and at < len(of):
        for unit in of[at]:
            if unit in node.next:
                found += _ended(node.next[unit], of, start, at + 1)
    if node.gap is not None:
        for skipped in range(at, min(at + MAX_GAP + 1, len(of))):
            behind = [
                hit
                for unit in of[skipped]
                if unit in node.gap.next
                for hit in _ended(node.gap.next[unit], of, start, skipped + 1)
            ]
            if behind:
                between = tuple(range(at, skipped))
                return [*found, *(hit._replace(skipped=between + hit.skipped) for hit in behind)]
    return found


def _ended(node: _Node, of: Sequence[Sequence[str]], start: int, at: int) -> list[Hit]:
    """The terms that end at `at` or later, of those that begin at `start` and led to `node`."""
    return [*(Hit(*end, start, at) for end in node.ends), *_longer(node, of, start, at)]


def units_of(term: str) -> list[str]:
    """A term as the words, word parts and gaps that it is made of."""
    units: list[str] = []
    for part in term.split():
        if part == GAP:
            units.append(GAP)
            continue
        words = folded_words(part)
        if part.endswith("'") and not words[-1].endswith("'"):
            words[-1] += "'"  # an elision, without the word that it is written onto
        if part.startswith(STAR):
            words[0] = STAR + words[0]
        elif part.endswith(STAR):
            words[-1] += STAR
        units += words
    return units


def terms_of(pack: LanguagePack, sections: Sequence[str]) -> Iterator[tuple[str, Terms]]:
    """The fields of a pack's sections, or single ones ("calendar.asks"), with their terms."""
    for name in sections:
        section, _, only = name.partition(".")
        table = getattr(pack, section)
        for spec in fields(table):
            if only in ("", spec.name):
                yield from _terms(
                    f"{section}.{spec.name}", spec.metadata["kind"], getattr(table, spec.name)
                )


def _terms(name: str, kind: Kind, value: Any) -> Iterator[tuple[str, Terms]]:
    if kind is Kind.TERMS:
        yield name, value
    elif kind is Kind.NAMED:
        yield from ((f"{name}.{key}", terms) for key, terms in value.items())
    elif kind is Kind.ROWS:
        yield from ((f"{name}.{row}", terms) for row, terms in enumerate(value))


@from_packs
def _vocabulary() -> Vocabulary:
    return Vocabulary(packs(), SECTIONS, without=BESIDE)


def scan(text: str) -> Scan:
    """The words and terms of any text, in linear time. A scan is shared: nobody changes it."""
    vocabulary = _vocabulary()
    return (_remembered if len(text) <= KEPT_CHARS else _scan)(text, vocabulary)


def _scan(text: str, vocabulary: Vocabulary) -> Scan:
    return scan_words(words_of(text), vocabulary)


def scan_words(words: Words, vocabulary: Vocabulary) -> Scan:
    """The terms of a vocabulary of one's own in words."""
    by_field: dict[str, list[Hit]] = {}
    for hit in vocabulary.hits(words):
        by_field.setdefault(hit.field, []).append(hit)
    return Scan(words, by_field)


_remembered = lru_cache(maxsize=128)(_scan)


def forget_texts() -> None:
    """Clear the caches of texts; for benchmarks."""
    _remembered.cache_clear()
    words_module.forget_texts()
