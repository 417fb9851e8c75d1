# ruff: noqa: RUF001 - full stops of many scripts
"""A text as told secrets are read in it: the names of secrets and the small words around them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import regex

from ....language import from_packs, packs
from ....language.scan import Hit, Scan, Vocabulary, scan, scan_words, terms_of
from ....language.sections.secrets import BESIDE
from ..formats.view import View, view

_GLUED = regex.compile(r"[-_.@#$%&*+~!]\w{0,20}[-_.@#$%&*+~!]?\w{0,20}\d")
"""What follows a name that is a part of a value: `pass-word-12`."""
SENTENCE_END = regex.compile(r"[.!?](?=\s|\Z)|[。！？؟।]|\n\s*\n|[;；]\s")
EVERYWHERE = "any"
"""The pack of names that are the same in many languages: "PIN"."""
_AT_LOCK = 60
"""Most characters between a lock and the word for its code."""


class Secret(StrEnum):
    """The kind of secret that a name stands for, which determines its possible forms."""

    PASSWORD = "password"  # noqa: S105 - a name
    CODE = "code"
    KEY = "key"
    PHRASE = "phrase"
    LOGIN = "login"
    OPENS = "opens"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a secret in a text, by characters."""

    kind: Secret
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Prose:
    """A text with the terms of the packs in it."""

    view: View
    seen: Scan

    @cached_property
    def names(self) -> list[Name]:
        """Names of secrets in order, apart; a longer term wins, also if it names another thing."""
        fields = {f"secrets.{kind.value}": kind for kind in Secret}
        hits = self.seen.found("secrets.other_things", *fields)
        found: list[Name] = []
        done = 0
        for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.field not in fields)):
            if hit.start < done:
                continue
            kind = fields.get(hit.field)
            if kind is None:
                done = hit.end
                continue
            start, end = self.span(hit)
            if _GLUED.match(self.view.text, end) or (
                kind is Secret.OPENS and not self._is_at_lock(start, end)
            ):
                continue
            found.append(Name(kind, start, end))
            done = hit.end
        return found

    def _is_at_lock(self, start: int, end: int) -> bool:
        """Whether a lock is named beside, in the same sentence."""
        locks = self._locks
        at = bisect_left(locks, (start, 0))
        for first, last in locks[max(0, at - 1) : at + 1]:
            gap = (last, start) if first < start else (end, first)
            if gap[1] - gap[0] <= _AT_LOCK and not self.ends_sentence(*gap):
                return True
        return False

    @cached_property
    def _locks(self) -> list[tuple[int, int]]:
        return [self.span(hit) for hit in self.seen.found("secrets.lock")]

    def names_in(self, start: int, end: int) -> list[Name]:
        """Names that begin between two places."""
        starts = self._starts
        return self.names[bisect_left(starts, start) : bisect_left(starts, end)]

    @cached_property
    def _starts(self) -> list[int]:
        return [name.start for name in self.names]

    def span(self, hit: Hit) -> tuple[int, int]:
        """Where a term stands, in characters."""
        words = self.seen.words
        return words.starts[hit.start], words.ends[hit.end - 1]

    def words(self, start: int, end: int) -> range:
        """Indexes of the words that lie between two places."""
        words = self.seen.words
        return range(bisect_left(words.starts, start), bisect_left(words.ends, end + 1))

    def ends_sentence(self, start: int, end: int) -> bool:
        return SENTENCE_END.search(self.view.text, start, end) is not None

    @cached_property
    def beside(self) -> Scan:
        """The small words."""
        return scan_words(self.seen.words, _small_words())

    @cached_property
    def links(self) -> set[int]:
        return self.beside.covered("secrets.links")

    @cached_property
    def into(self) -> set[int]:
        return self.beside.covered("secrets.into")

    @cached_property
    def fillers(self) -> set[int]:
        return self.beside.covered("secrets.fillers")

    @cached_property
    def owners(self) -> set[int]:
        return self.beside.covered("secrets.owners")

    @cached_property
    def rules(self) -> set[int]:
        return self._covered("secrets.rules")

    @cached_property
    def other_numbers(self) -> set[int]:
        return self.beside.covered("secrets.other_numbers")

    @cached_property
    def cards(self) -> set[int]:
        return self.beside.covered("secrets.card")

    @cached_property
    def digits(self) -> set[int]:
        return self.beside.covered("secrets.digits")

    @cached_property
    def joins(self) -> set[int]:
        """Function words, such as "and" and "with"."""
        common = _function_words()
        return {i for i, word in enumerate(self.seen.words.folded) if word in common}

    @cached_property
    def states(self) -> set[int]:
        """Words that are never a value: of a state, of a name of a secret, function words."""
        named = {
            i
            for kind in Secret
            if kind is not Secret.OPENS
            for i in self.seen.covered(f"secrets.{kind.value}")
        }
        said = self._covered("secrets.states", "secrets.rules", "secrets.fillers")
        return named | said | self.joins

    def _covered(self, *fields: str) -> set[int]:
        """Words of these fields in a language that a name of a secret is in."""
        languages = self._languages
        return {
            i
            for hit in self.beside.found(*fields)
            if hit.language in languages or EVERYWHERE in languages
            for i in range(hit.start, hit.end)
        }

    @cached_property
    def _languages(self) -> set[str]:
        named = self.seen.found(*(f"secrets.{kind.value}" for kind in Secret))
        return {hit.language for hit in named}

    def is_counted(self, end: int) -> bool:
        """Whether the number that ends here counts something: "8 digits", "12%"."""
        low = self.view.low
        while low[end : end + 1] in (" ", "-", "+"):
            end += 1
        return low.startswith(_counted(), end)


@from_packs
def _function_words() -> frozenset[str]:
    return frozenset(word for pack in packs().values() for word in pack.words.stop)


@from_packs
def _small_words() -> Vocabulary:
    found = {name for pack in packs().values() for name, _ in terms_of(pack, ("secrets",))}
    return Vocabulary(packs(), ("secrets",), without=found - BESIDE)


@from_packs
def _counted() -> tuple[str, ...]:
    words = {view(term).low for pack in packs().values() for term in pack.secrets.counted}
    return (*words, "%", "$", "€", "£", "°")


def prose_of(seen: View) -> Prose:
    """The reading of a text."""
    return Prose(seen, scan(seen.text))
