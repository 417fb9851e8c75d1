"""The words, names and numbers of some turns, by speaker. Pure.

Each is computed at its first use, in time linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from ...language import language_of, names_in, packs, stored_terms
from ...language.fold import clean, fold
from ...language.scripts import letters_by_script
from ...types import Source, Turn
from .numbers import numbers_in
from .searchable import Searchable
from .units import Unit, spans_of_sentences

MAX_SENTENCES = 2_000
"""Most sentences of a batch that are searched for support of a fact."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_CAPITALS = regex.compile(r"\p{Lu}[\p{L}\p{M}]*(?:[ -]\p{Lu}[\p{L}\p{M}]*){1,5}")
_SHARED = 5
"""Common first letters of related names ("Germany", "German")."""
_MIN_SHARED = 3
_TOGETHER = frozenset({"han", "kana"})
_SCRIPT_SHARE = 0.1
"""Share of a text's letters from which a script counts; a single name does not."""


@dataclass(frozen=True)
class Part:
    """The text of one speaker in one turn."""

    source: Source
    turn: Turn
    number: int
    """Of the turn in the transcript."""
    text: str

    @cached_property
    def searchable(self) -> Searchable:
        return Searchable(self.text)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return spans_of_sentences(self.text)

    def around(self, begin: int, end: int) -> str:
        """The sentences that contain a passage."""
        return " ".join(self.text[a:b] for a, b in self.spans if a < end and begin < b)


class Said:
    """All parts of one batch of units."""

    def __init__(self, units: Sequence[Unit], earlier: Sequence[Turn] = ()) -> None:
        """`earlier` turns give names and numbers, and no evidence."""
        self._earlier = [turn.user_text for turn in earlier]
        self.parts = [part for number, unit in enumerate(units, 1) for part in _parts(number, unit)]

    def by(self, source: Source) -> list[Part]:
        """The parts of that speaker, in order."""
        return [part for part in self.parts if part.source is source]

    @property
    def _texts(self) -> list[str]:
        return [*(part.text for part in self.parts), *self._earlier]

    def was_said_before(self, quote: str) -> bool:
        """Whether a quote stands in an earlier turn."""
        return bool(quote) and any(Searchable(text).find(quote) for text in self._earlier)

    @cached_property
    def numbers(self) -> set[str]:
        return set().union(*map(numbers_in, self._texts))

    @cached_property
    def user_sentences(self) -> list[tuple[Part, tuple[int, int], frozenset[str]]]:
        """Each with its terms."""
        found = [(part, span) for part in self.by(Source.EXTRACTION) for span in part.spans]
        return [
            (part, span, frozenset(stored_terms(part.text[span[0] : span[1]])))
            for part, span in found[:MAX_SENTENCES]
        ]

    @cached_property
    def _words(self) -> set[str]:
        said = {fold(clean(word)) for text in self._texts for word in _WORD.findall(text)}
        return said.union(*(map(fold, pack.people.user) for pack in packs().values()))

    @cached_property
    def _beginnings(self) -> set[str]:
        return {word[:size] for word in self._words for size in range(_MIN_SHARED, _SHARED + 1)}

    @cached_property
    def _initials(self) -> set[str]:
        return {
            "".join(word[0] for word in _WORD.findall(run[0])).casefold()
            for text in self._texts
            for run in _CAPITALS.finditer(text)
        }

    def unsaid_name(self, text: str, apart_from: str = "") -> bool:
        """Whether a text has a name that is in none of the parts.

        Words in `apart_from` are ignored. Always false for German, where nouns look like names, and
        for scripts without capitals.
        """
        pack = packs().get(language_of(text))
        if pack is not None and pack.words.capitalised_nouns:
            return False
        inflected = pack is not None and pack.words.inflects_names
        left_out = {fold(word) for word in _WORD.findall(apart_from)}
        words = (word for name in names_in(text) for word in _WORD.findall(name))
        return any(
            word not in left_out and not self._says(word, inflected=inflected) for word in words
        )

    def _says(self, word: str, *, inflected: bool) -> bool:
        if word in self._words or len(word) == 1:
            return True
        shared = max(_MIN_SHARED, min(_SHARED, len(word) - 2)) if inflected else _SHARED
        if len(word) >= shared and word[:shared] in self._beginnings:
            return True
        return word in self._initials  # "NYC" of New York City


def scripts_of(texts: Iterable[str]) -> set[str]:
    """The scripts of the texts, with Chinese and Japanese as one."""
    counts: dict[str, int] = {}
    for text in texts:
        for script, count in letters_by_script(text).items():
            name = "cjk" if script in _TOGETHER else script
            counts[name] = counts.get(name, 0) + count
    total = sum(counts.values())
    return {script for script, count in counts.items() if count >= _SCRIPT_SHARE * total}


def is_translated(text: str, originals: Iterable[str]) -> bool:
    """Whether a text shares no script with its originals."""
    theirs = scripts_of(originals)
    return bool(theirs) and theirs.isdisjoint(scripts_of([text]))


def _parts(number: int, unit: Unit) -> list[Part]:
    parts = [Part(Source.EXTRACTION, unit.turn, number, unit.user)]
    parts += [Part(Source.TOOL, unit.turn, number, tool.result) for tool in unit.tools]
    parts.append(Part(Source.ASSISTANT, unit.turn, number, unit.assistant))
    return [part for part in parts if part.text.strip()]
