"""Annotates the words of a text with what the language packs say: where all readers begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...language import (
    ANY,
    Hit,
    Scan,
    Words,
    is_unspaced,
    language_of,
    languages_of,
    scan,
)
from ...language.detect import FALLBACK, UNKNOWN
from ...language.scripts import HIRAGANA, KATAKANA, script_of
from .function_words import FunctionWords, function_words, together

MOST_CHARS = 4_000
"""Of a text that are read: facts are short."""
CASED = frozenset(("latin", "cyrillic", "greek", "armenian"))
"""Scripts in which a capital letter tells a name."""


_CALLS = ("!", "?", "\uff01", "\uff1f", "\u061f")
_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")
_GENITIVE = re.compile(r"^['\u2019]s?$")
KIN = ("people.kin", "people.roles", "requests.kin")
"""What somebody can be to somebody."""


@dataclass(frozen=True, eq=False)
class AnnotatedText:
    """The words of a text and what they are."""

    words: Words
    small: FunctionWords
    languages: frozenset[str]
    hits: Mapping[str, tuple[Hit, ...]]
    """Terms for relatives, for the user, and what tells a name or a home, by field."""

    @property
    def text(self) -> str:
        """What was read."""
        return self.words.text

    @cached_property
    def sentence_starts(self) -> frozenset[int]:
        """Indexes of the first words of sentences."""
        return frozenset(first for first, _ in self.words.sentences)

    @cached_property
    def kin(self) -> Mapping[int, int]:
        """Where a term for a relative begins, and where the longest one ends."""
        found: dict[int, int] = {}
        for name in KIN:
            for hit in self.hits.get(name, ()):
                found[hit.start] = max(hit.end, found.get(hit.start, 0))
        covered = {i for start, end in found.items() for i in range(start + 1, end)}
        return {start: end for start, end in found.items() if start not in covered}

    @cached_property
    def mine(self) -> frozenset[int]:
        """Indexes of the words for the user: "my", "I", "user"."""
        hits = (hit for name in MINE for hit in self.hits.get(name, ()))
        return frozenset(i for hit in hits for i in range(hit.start, hit.end))

    @cached_property
    def greeting(self) -> frozenset[int]:
        """Indexes of the words of greetings and thanks."""
        return frozenset(i for hit in self.hits.get(GREET, ()) for i in range(hit.start, hit.end))

    @cached_property
    def is_chat(self) -> bool:
        """Whether it is talk and no fact: it has several sentences, calls out or asks."""
        return len(self.words.sentences) > 1 or any(sign in self.text for sign in _CALLS)

    @cached_property
    def _kin_words(self) -> frozenset[int]:
        return frozenset(i for start, end in self.kin.items() for i in range(start, end))

    def is_kin_word(self, index: int) -> bool:
        """Whether it is part of a term for a relative."""
        return index in self._kin_words

    def surface(self, start: int, end: int) -> str:
        """The words from `start` to before `end`, as written."""
        return self.text[self.words.starts[start] : self.words.ends[end - 1]]

    def between(self, one: int, other: int) -> str:
        """What is written between the words `one` and `other`."""
        return self.text[self.words.ends[one] : self.words.starts[other]]

    def word(self, index: int) -> str:
        """The folded word, "" if there is none."""
        return self.words.folded[index] if 0 <= index < len(self.words.folded) else ""

    def is_stop(self, index: int) -> bool:
        """Whether it is a function word."""
        return self.word(index) in self.small.stop

    def joins(self, index: int) -> bool:
        """Whether it is a word such as "and"."""
        raw = self.words.raw
        return 0 <= index < len(raw) and raw[index].casefold() in self.small.joins

    def is_before(self, index: int) -> bool:
        """Whether it is a preposition or an article."""
        raw = self.words.raw
        return 0 <= index < len(raw) and raw[index].casefold() in self.small.before

    def links(self, index: int) -> bool:
        """Whether it is a word such as "is", and no preposition."""
        raw = self.words.raw
        return (
            0 <= index < len(raw)
            and raw[index].casefold() in self.small.links
            and not self.is_before(index)
        )

    def is_genitive(self, index: int) -> bool:
        """Whether it is an apostrophe's "s"."""
        return _GENITIVE.match(self.word(index)) is not None

    def is_cased(self, index: int) -> bool:
        """Whether it is of a script in which capitals tell something."""
        return script_of(self.words.raw[index]) in CASED

    def is_unspaced(self, index: int) -> bool:
        """Whether it is a character of a script without blanks."""
        return 0 <= index < len(self.words.raw) and is_unspaced(self.words.raw[index])

    def ends_clause(self, index: int) -> bool:
        """Whether nothing of its clause follows the word before `index`."""
        return index >= len(self.words.raw) or index in self.words.clause_starts


USER = "people.user"
MINE = ("people.first_person", USER)
NAMED, HOME = "person.traits.name", "changes.home"
GREET = "requests.greet"
_FIELDS = (*KIN, *MINE, NAMED, HOME, GREET)


def told(text: str) -> AnnotatedText:
    """The words of the beginning of a text."""
    found = scan(text[:MOST_CHARS])
    languages = _languages(found)
    hits = {
        name: tuple(hit for hit in found.found(name) if hit.language in languages)
        for name in _FIELDS
    }
    known = frozenset(languages & function_words().keys())
    return AnnotatedText(found.words, together(known), languages, hits)


_MANY = 6
"""Languages, beyond which the words of a text tell none."""


def _languages(found: Scan) -> frozenset[str]:
    """What a text may be written in.

    Of words that tell no language, English and those of the terms in it.
    """
    text = found.words.text
    likely, all_ = language_of(text), languages_of(found.words.folded)
    if likely == UNKNOWN and len(all_) > _MANY:
        telling = {hit.language for hit in found.found(*KIN, NAMED, HOME)}
        return frozenset({ANY, FALLBACK, *(all_ & telling)})
    if "zh" in all_ and not _KANA.search(text):
        all_ -= {"ja"}
    return all_ | {likely}
