"""A tree of terms, and the walk that finds them in the words of a text.

A field is named by its section and name ("planting.override"), and by its key or row where it has
one ("calendar.units.day", "calendar.months.0").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from .pack import LanguagePack
from .syntax import GAP, MAX_GAP, STAR, Kind, Terms
from .words import Words, folded_words

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

    def letters(self, words: Sequence[str]) -> int:
        """Its length in these words: a short term may mean something else in another language."""
        return sum(map(len, words[self.start : self.end]))


_NOTHING: dict[str, _Node] = {}


@dataclass(slots=True, eq=False)
class _Node:
    """A place in the tree of terms: what ends here, and what may follow."""

    ends: tuple[tuple[str, str], ...] = ()
    # Shared: most places have nothing behind them.
    next: dict[str, _Node] = field(default_factory=lambda: _NOTHING)
    gap: _Node | None = None

    def behind(self, unit: str) -> _Node:
        """The place behind a unit, which is made if there is none."""
        if self.next is _NOTHING:
            self.next = {}
        return self.next.setdefault(unit, _Node())


_Reading = tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[_Node, ...]]
"""Of a word: the units that it is, the terms that it is alone, and where longer ones go on."""


class Vocabulary:
    """The terms of a section of the packs, or of single fields of it, ready to be found."""

    def __init__(self, known: Mapping[str, LanguagePack], sections: Sequence[str]) -> None:
        self.section = sections[0].partition(".")[0]
        self._root = _Node()
        self._units: set[str] = set()
        # The letters beside a star, by their number.
        self._begin: dict[int, set[str]] = {}
        self._end: dict[int, set[str]] = {}
        self._attached: dict[str, list[str]] = {}
        # The first and last letters of those: a number, which is new each time, has none of them.
        self._edges: set[str] = set()
        particles = {
            word for pack in known.values() for word in (*pack.words.attached, *pack.words.elided)
        }
        for word in sorted(particles, key=len, reverse=True):
            self._attached.setdefault(word[0], []).append(word)
            self._edges.add(word[0])
        for code, pack in known.items():
            for name, terms in terms_of(pack, sections):
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
                parts = self._begin if unit.endswith(STAR) else self._end
                parts.setdefault(len(unit) - 1, set()).add(unit.strip(STAR))
                self._edges.add(unit[0] if unit.endswith(STAR) else unit[-1])
            node = node.behind(unit)
        if (name, code) not in node.ends:
            node.ends = (*node.ends, (name, code))

    def by_field(self, words: Words) -> Mapping[str, Sequence[Hit]]:
        """Every term in `words`, by its field, in reading order; linear in their number."""
        found: dict[str, list[Hit]] = {}
        read = list(map(self._read, words.folded))
        of = [units for units, _, _ in read]
        last = len(of) - 1
        present: set[str] | None = None
        for start, (_, ends, begun) in enumerate(read):
            for name, code in ends:
                found.setdefault(name, []).append(Hit(name, code, start, start + 1))
            behind = of[start + 1] if start < last else ()
            for node in begun:
                if node.gap is None:
                    for unit in behind:  # without a call: of most nothing follows
                        if unit in node.next:
                            break
                    else:
                        continue
                elif present is None:
                    present = {unit for units in of for unit in units}
                for hit in _longer(node, of, start, start + 1, present):
                    found.setdefault(hit.field, []).append(hit)
        return found

    def hits(self, words: Words) -> list[Hit]:
        """The same as a list, in reading order."""
        found = (hit for hits in self.by_field(words).values() for hit in hits)
        return sorted(found, key=lambda hit: (hit.start, hit.end))

    def _reading(self, word: str) -> _Reading:
        units = self._matching(word)
        nodes = [node for unit in units if (node := self._root.next.get(unit)) is not None]
        ends = tuple(end for node in nodes for end in node.ends)
        return units, ends, tuple(node for node in nodes if node.next or node.gap)

    def _matching(self, word: str) -> tuple[str, ...]:
        """The units of all terms that a folded word is."""
        found = [word] if word in self._units else []
        if word[:1] not in self._edges and word[-1:] not in self._edges:
            return tuple(found)
        found += [begin + STAR for n, of in self._begin.items() if (begin := word[:n]) in of]
        found += [STAR + end for n, of in self._end.items() if (end := word[-n:]) in of]
        for particle in self._attached.get(word[:1], ()):
            bare = word.removeprefix(particle)
            if bare != word and len(bare) >= _SHORTEST_BARE:
                found += [unit for unit in self._matching(bare) if unit not in found]
        return tuple(found)


def _longer(
    node: _Node, of: Sequence[Sequence[str]], start: int, at: int, present: AbstractSet[str] | None
) -> list[Hit]:
    """The terms that end behind `at`, of those that begin at `start` and led to `node`.

    `present` are the units of the whole text, without which nothing follows a gap.
    """
    found: list[Hit] = []
    if node.next and at < len(of):
        for unit in of[at]:
            if unit in node.next:
                found += _ended(node.next[unit], of, start, at + 1, present)
    gap = node.gap
    if gap is None or (present is not None and gap.next.keys().isdisjoint(present)):
        return found
    for skipped in range(at, min(at + MAX_GAP + 1, len(of))):
        behind = [
            hit
            for unit in of[skipped]
            if unit in gap.next
            for hit in _ended(gap.next[unit], of, start, skipped + 1, present)
        ]
        if behind:
            between = tuple(range(at, skipped))
            return [*found, *(hit._replace(skipped=between + hit.skipped) for hit in behind)]
    return found


def _ended(
    node: _Node, of: Sequence[Sequence[str]], start: int, at: int, present: AbstractSet[str] | None
) -> list[Hit]:
    """The terms that end at `at` or later, of those that begin at `start` and led to `node`."""
    return [*(Hit(*end, start, at) for end in node.ends), *_longer(node, of, start, at, present)]


def units_of(term: str) -> list[str]:
    """A term as the words, word parts and gaps that it is made of."""
    units: list[str] = []
    for part in term.split():
        if part == GAP:
            units.append(GAP)
            continue
        if part.isascii() and part.isalpha():  # most are: one word, and quicker
            units.append(part.lower())
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
