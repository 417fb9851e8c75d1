"""The terms of all packs in a text, by section.

A term is found in every language; whoever asks chooses the languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, lru_cache
from operator import attrgetter

from . import words as words_module
from .detect import languages_of
from .registry import from_packs, packs
from .sections import NAMES_OF_SECRETS
from .syntax import STAR
from .vocabulary import Hit, Vocabulary, terms_of, units_of
from .words import KEPT_CHARS, Words, words_of

SECTIONS = (
    "people", "requests", "changes", "planting", "turns", "person", "forget", *NAMES_OF_SECRETS,
    "calendar.asks", "calendar.asks_first", "calendar.asks_last", "calendar.asks_not",
)  # fmt: skip
"""The sections that `scan` looks for, and single fields of others."""
_KEPT = 128
"""Scans of texts that are kept for a moment: a turn is read by several readers."""


_in_order = attrgetter("start", "end")


class FieldHits:
    """Terms in a text by field, in reading order."""

    __slots__ = ()

    def _hits(self, name: str) -> Sequence[Hit]:
        """The hits of one field."""
        raise NotImplementedError

    def found(self, *names: str) -> list[Hit]:
        """The hits of these fields, in reading order."""
        hits = [hit for name in names for hit in self._hits(name)]
        return sorted(hits, key=_in_order) if len(hits) > 1 < len(names) else hits

    def has(self, *names: str) -> bool:
        """Whether there is a hit of one of these fields."""
        return any(map(self._hits, names))

    def covered(self, *names: str) -> set[int]:
        """Indexes of the words inside hits of these fields."""
        return {i for name in names for hit in self._hits(name) for i in range(hit.start, hit.end)}


@dataclass(frozen=True, slots=True, eq=False)
class Scan(FieldHits):
    """The words of a text, and the terms in them by field, in reading order.

    A section is looked for when it is first asked for: most readers ask for one.
    """

    words: Words
    vocabularies: Mapping[str, Vocabulary]
    """By section."""
    _read: dict[str, Mapping[str, Sequence[Hit]]] = field(default_factory=dict)
    _asked: dict[str, Sequence[Hit]] = field(default_factory=dict)
    """The fields that somebody asked for, with those that have no hit."""

    def section(self, name: str) -> Mapping[str, Sequence[Hit]]:
        """The hits of a section by field; fields without one are absent."""
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = self.vocabularies[name].by_field(self.words)
        return found

    def _hits(self, name: str) -> Sequence[Hit]:
        try:
            return self._asked[name]
        except KeyError:
            found = self.section(name.partition(".")[0]).get(name, ())
            self._asked[name] = found
            return found


@from_packs
def _vocabularies() -> Mapping[str, Vocabulary]:
    sections: dict[str, list[str]] = {}
    for name in SECTIONS:
        sections.setdefault(name.partition(".")[0], []).append(name)
    return {section: Vocabulary(packs(), names) for section, names in sections.items()}


@from_packs
def _remembering() -> _lru_cache_wrapper[Scan]:
    vocabularies = _vocabularies()
    return lru_cache(maxsize=_KEPT)(lambda text: Scan(words_of(text), vocabularies))


def scan(text: str) -> Scan:
    """The words and terms of any text, in linear time. A scan is shared: nobody changes it."""
    if len(text) > KEPT_CHARS:
        return Scan(words_of(text), _vocabularies())
    return _remembering()(text)


def scan_words(words: Words, vocabulary: Vocabulary) -> Scan:
    """The terms of a vocabulary of one's own, of one section, in words."""
    return Scan(words, {vocabulary.section: vocabulary})


def forget_texts() -> None:
    """Clear the caches of texts; for benchmarks."""
    _remembering().cache_clear()
    words_module.forget_texts()


_WORD = re.compile(r"\w+(?:'\w+)*")


def cues_in(text: str, *fields: str) -> Iterator[Hit]:
    """The hits of these fields, without those in a language that the text is hardly of."""
    found = scan(text)
    if found.has(*fields):
        languages = languages_of(found.words.folded)
        yield from (hit for hit in found.found(*fields) if hit.language in languages)


def says(text: str, *fields: str) -> bool:
    """Whether a term of these fields is in a text: of a thing, not only of its look-alike."""
    return next(cues_in(text, *fields), None) is not None


def without(text: str, *fields: str) -> str:
    """The text with a blank for each term of these fields."""
    words = words_of(text)
    kept, done = [], 0
    for hit in sorted(cues_in(text, *fields), key=lambda hit: hit.start):
        kept += [text[done : words.starts[hit.start]], " "]
        done = max(done, words.ends[hit.end - 1])
    return "".join([*kept, text[done:]])


def begins(text: str, field: str) -> Hit | None:
    """The term of a field that a text begins with; the longest of several."""
    if text.isascii():
        # Most texts begin with no term; the rest of theirs is not read.
        first, known = _WORD.search(text), _first_words().get(field)
        if first is None or (known and not first[0].lower().startswith(known)):
            return None
    hits = (hit for hit in cues_in(text, field) if hit.start == 0)
    return max(hits, key=lambda hit: hit.end, default=None)


@from_packs
def _first_words() -> Mapping[str, tuple[str, ...]]:
    """What the first words of the terms of each field begin with."""
    found: dict[str, set[str]] = {}
    for pack in packs().values():
        for name, terms in terms_of(pack, ("turns",)):
            firsts = (units_of(term)[0] for term in terms)
            found.setdefault(name, set()).update(
                "" if first.startswith(STAR) else first.rstrip(STAR) for first in firsts
            )
    return {field: tuple(firsts) for field, firsts in found.items()}
