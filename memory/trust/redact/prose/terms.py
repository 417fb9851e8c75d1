# ruff: noqa: RUF001
"""Finds the terms of the packs in a text, by words and by characters, for secrets in prose."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import regex

from ....language import ANY, from_packs, language_of, languages_of, packs
from ....language.pack import LanguagePack, extended
from ....language.scanner import Scan, scan, scan_words
from ....language.sections import FrequentWords
from ....language.vocabulary import Hit, Vocabulary
from ....language.words import folded_word
from ....util.lazy import lazy
from ..formats.view import View

SENTENCE_END = regex.compile(r"[.!?](?=\s|\Z)|[。！？؟।]|\n\s*\n|[;；]\s")
_SAMPLE = 300
"""Words of a text by which its languages are told."""
_SMALL = tuple(f"secrets.{name}" for name in (
    "links", "digits", "card", "phone", "street"
))  # fmt: skip
_OTHERS = "secrets.other_numbers"


def _small(name: str) -> lazy[set[int]]:
    """The words of this field in the text."""
    return lazy(lambda prose: prose.beside.covered(f"secrets.{name}"))


def _covered(*names: str) -> lazy[set[int]]:
    """The words of these fields, which need no other one beside them."""
    wanted = [f"secrets.{name}" for name in names]
    return lazy(lambda prose: prose.seen.covered(*wanted))


@dataclass(frozen=True, eq=False)
class Prose:
    """A text with the terms of the packs in it; the sets are indexes of its words."""

    view: View
    seen: Scan

    links = _small("links")
    cards = _small("card")
    phones = _small("phone")
    digits = _small("digits")
    opened = _covered("service", "things", "lock")
    """Words for what is opened."""
    opening = _covered("opens")
    """Words for opening it."""
    asking = _covered("password", "code", "opens")
    """Words for a code."""
    keypad = _covered("keypad")
    """Words for keys beside digits."""

    @lazy
    def places(self) -> set[int]:
        """Words for what has a number of its own and is not opened by codes alone."""
        return self.seen.covered("secrets.lock") - self.seen.covered("secrets.coded") - self.keypad

    @lazy
    def other_numbers(self) -> set[int]:
        """Words that say what a number is otherwise, in the languages that the text may be in."""
        found = scan_words(self.seen.words, _other_words()).found(_OTHERS)
        return {i for h in found if h.language in self.spoken for i in range(h.start, h.end)}

    @lazy
    def other_things(self) -> set[int]:
        """Names of what holds no secret, and function words, which open nothing in any language."""
        opens = self.seen.found("secrets.opens")
        function_words = {hit.start for hit in opens if self.is_function_word(hit)}
        return self.seen.covered("secrets.other_things") | function_words

    @lazy
    def spoken(self) -> frozenset[str]:
        """The languages that the text may be in."""
        return languages_of(self.seen.words.folded[:_SAMPLE])

    @lazy
    def has_numerals(self) -> bool:
        """Whether the text has a word for a digit at all; a quick look."""
        known, folded = _numerals(), self.seen.words.folded
        if not known.isdisjoint(folded):
            return True
        return not self.view.text.isascii() and any(map(known.issuperset, folded))

    @lazy
    def numerals(self) -> Sequence[int]:
        """Words for digits, and words that are made of characters for them."""
        found = self.digits
        if not self.view.text.isascii():
            folded = self.seen.words.folded
            found = found.union(i for i, word in enumerate(folded) if digits_in(word))
        return sorted(found)

    @lazy
    def is_latin(self) -> bool:
        """Whether most of its words are in Latin letters."""
        if self.view.text.isascii():
            return bool(self.seen.words.folded)
        ascii_words = sum(word[:1] < "\u0250" for word in self.seen.words.folded[:_SAMPLE])
        return 2 * ascii_words > min(len(self.seen.words.folded), _SAMPLE)

    @lazy
    def is_unread(self) -> bool:
        """Whether no pack knows the words of its language."""
        return language_of(self.view.text) not in packs()

    @lazy
    def joins(self) -> set[int]:
        """Function words, such as "and" and "with"."""
        common = _function_words()
        return {i for i, word in enumerate(self.seen.words.folded) if word in common}

    @lazy
    def beside(self) -> Scan:
        """The small words, which mean something only beside others, of all languages as one."""
        return scan_words(self.seen.words, _small_words())

    @lazy
    def invented(self) -> set[int]:
        """The numbers of sentences about novels and plays."""
        return {self.sentence_of(hit.start) for hit in self.seen.found("secrets.fiction")}

    @lazy
    def ends(self) -> list[int]:
        """Where the sentences end, in words."""
        return [end for _, end in self.seen.words.sentences]

    def sentence_of(self, word: int) -> int:
        """The number of the sentence that a word stands in."""
        return bisect_left(self.ends, word + 1)

    def span(self, hit: Hit) -> tuple[int, int]:
        """Where a term stands, in characters."""
        words = self.seen.words
        return words.starts[hit.start], words.ends[hit.end - 1]

    def is_function_word(self, hit: Hit) -> bool:
        """Whether a term is one function word of any language."""
        return hit.end == hit.start + 1 and hit.start in self.joins

    def words(self, start: int, end: int) -> range:
        """Indexes of the words that lie between two places."""
        words = self.seen.words
        return range(bisect_left(words.starts, start), bisect_left(words.ends, end + 1))

    def with_keys(self, first: int, last: int) -> tuple[int, int]:
        """A code's words with the words for keys on both sides, and a number before one."""
        keys, raw = self.keypad, self.seen.words.raw
        while first - 1 in keys:
            first -= 1
            if first and raw[first - 1].isdigit():
                first -= 1
        while last in keys:
            last += 1
        return first, last

    def ends_sentence(self, start: int, end: int) -> bool:
        """Whether a sentence ends between two places."""
        return SENTENCE_END.search(self.view.text, start, end) is not None

    def is_counted(self, end: int) -> bool:
        """Whether the number that ends here counts something: "8 digits", "12%"."""
        low = self.view.low
        while low[end : end + 1] in (" ", "-", "+"):
            end += 1
        counted = _counted()
        return any(low.startswith(counted[code], end) for code in self.spoken if code in counted)


@from_packs
def _function_words() -> frozenset[str]:
    return frozenset(folded_word(word) for pack in packs().values() for word in pack.words.stop)


@from_packs
def _numerals() -> frozenset[str]:
    return frozenset(folded_word(term) for pack in packs().values() for term in pack.secrets.digits)


def digits_in(word: str) -> int:
    """The length of a word that is made of characters for digits, else 0; none is in ASCII."""
    return len(word) if len(word) > 1 and _single_digits().issuperset(word) else 0


@from_packs
def _single_digits() -> frozenset[str]:
    return frozenset(
        term for pack in packs().values() for term in pack.secrets.digits if len(term) == 1
    )


@from_packs
def _small_words() -> Vocabulary:
    return Vocabulary({ANY: reduce(extended, map(_read_of, packs().values()))}, _SMALL)


def _read_of(pack: LanguagePack) -> LanguagePack:
    """What that vocabulary reads of a pack: joining the rest of all takes longer than making it."""
    words = FrequentWords(attached=pack.words.attached, elided=pack.words.elided)
    return LanguagePack(
        code=pack.code, name=pack.name, script=pack.script, words=words, secrets=pack.secrets
    )


@from_packs
def _other_words() -> Vocabulary:
    return Vocabulary(packs(), (_OTHERS,))


_SIGNS_BEHIND = ("%", "$", "€", "£", "°")


@from_packs
def _counted() -> Mapping[str, tuple[str, ...]]:
    """By language."""
    return {
        code: (*words, *map(folded_word, words), *_SIGNS_BEHIND)
        for code, pack in packs().items()
        if (words := pack.secrets.counted) or code == ANY
    }


def prose_of(seen: View) -> Prose:
    """The reading of a text."""
    return Prose(seen, scan(seen.text))
