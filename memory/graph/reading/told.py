"""A text as words, with what the language room says of them: what all readers here start from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from ...language import (
    ANY,
    Hit,
    Scan,
    Words,
    from_packs,
    is_unspaced,
    language_of,
    languages_of,
    packs,
    scan,
    words_of,
)
from ...language.detect import FALLBACK, UNKNOWN
from ...language.pack import LanguagePack
from ...language.scripts import HIRAGANA, KATAKANA, script_of
from ...language.words import folded_words

MOST_CHARS = 4_000
"""Of a text that are read: facts are short."""
CASED = frozenset(("latin", "cyrillic", "greek", "armenian"))
"""Scripts in which a capital letter tells a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallWords:
    """The folded words of one language that stand around names."""

    stop: frozenset[str]
    """All function words."""
    common: frozenset[str]
    """Everyday words: no names at the beginning of a sentence."""
    before: frozenset[str]
    """Prepositions and articles, with their accents: they stand before what they belong to."""
    articles: frozenset[str]
    """Articles, and possessives of the user."""
    inside: frozenset[str]
    """Prepositions of a place or a time in which something is ("in")."""
    at: frozenset[str]
    """Prepositions of a place that one is at, and not in."""
    toward: frozenset[str]
    """Prepositions of where from and where to; some mean "to" somebody, too."""
    joins: frozenset[str]
    """Conjunctions, with their accents: Portuguese "e" is "and", "é" is "is"."""
    times: frozenset[str]
    """Months and weekdays."""
    links: frozenset[str]
    """What stands between a name and what it is: "is", with accents."""
    days: frozenset[str]
    """Words that say when, as they are written, in scripts without blanks: 昨日."""
    my: frozenset[str]
    """Possessives of the user that the pack tells from "I" and "we"; empty if it tells none."""
    ones: frozenset[str]
    """The number one, and indefinite articles."""
    owning: frozenset[str]
    """What stands behind an owner and before what is owned (の, 的, का); empty where it is a
    preposition."""
    owning_terms: frozenset[str]
    """Terms for relatives that the owner's name follows (Arabic)."""
    behind: frozenset[str]
    """What stands behind a name and belongs to it (さん)."""
    inflects: bool
    """Whether names take endings: a relative's term and a name may be "Anna's wife" (Russian)."""
    bare: bool
    """Whether "I" and "my" may go without saying."""
    verbs_last: bool
    """Whether particles follow their nouns (Hindi)."""
    particles: frozenset[str]
    """What may stand inside a name ("von")."""


_OWNER_FIRST = ("han", "kana", "devanagari")
"""Scripts of languages that say "Anna's son" in this order, with a word in the place of "'s"."""


def _words(*terms: Iterable[str]) -> frozenset[str]:
    return frozenset(word for some in terms for term in some for word in folded_words(term))


def _written(*terms: Iterable[str]) -> frozenset[str]:
    """The words of terms with their accents: French "à" is a preposition, "a" a verb."""
    parts = (words_of(term).raw for some in terms for term in some)
    return frozenset(word.casefold() for words in parts for word in words)


def _single(terms: Iterable[str]) -> frozenset[str]:
    """Those of a single word."""
    found = (folded_words(term) for term in terms)
    return frozenset(words[0] for words in found if len(words) == 1)


def _owning(pack: LanguagePack) -> frozenset[str]:
    if pack.script not in _OWNER_FIRST:
        return frozenset()
    return _words(pack.calendar.of or pack.calendar.articles)


@from_packs
def small_words() -> Mapping[str, SmallWords]:
    """Those of each language."""
    found = {}
    for code, pack in packs().items():
        when, words = pack.calendar, pack.words
        stop = _words(words.stop, words.stop_characters)
        joins = frozenset(
            term.casefold() for term in (*when.and_, *pack.changes.conjunctions)
        ) - set(when.articles)
        articles = _words(when.articles, when.one, pack.requests.article)
        elided = frozenset(
            word for word in words.elided if word.rstrip("'") in _words(when.articles)
        )
        inside = _single(when.in_) | _single(when.ahead_first)
        found[code] = SmallWords(
            stop=stop,
            common=_words(words.common, pack.requests.filler),
            before=_written(words.stop, words.stop_characters) & _written(
                when.articles, when.of, when.on, when.to, when.between, when.since, when.before,
                when.after, when.vague, when.one, when.this, when.in_, when.ahead_first,
            ) | _written(when.articles, when.one, pack.requests.article, words.name_particles)
            | elided,
            articles=articles,
            inside=inside & stop,
            at=_single(when.on) & stop - articles,
            toward=_single((*when.to, *when.between, *when.after)) & stop - articles,
            joins=joins,
            days=frozenset(
                term
                for terms in (
                    *when.days.values(), *when.spans.values(), *when.weekdays, *when.weak_weekdays
                )
                for term in terms
                if is_unspaced(term[0])
            ),
            links=frozenset(
                term.casefold() for term in pack.secrets.links if len(folded_words(term)) == 1
            ) - joins,
            my=_words(pack.people.first_person) & _words(pack.requests.article),
            ones=_words(when.one),
            owning=_owning(pack) & (stop | _words(when.of)),
            owning_terms=_words(pack.people.kin) if pack.script == "arabic" else frozenset(),
            times=_words(*when.months, *when.weekdays, *when.weak_months, *when.weak_weekdays),
            behind=frozenset(words.name_particles if pack.script == "kana" else ()),
            inflects=words.inflects_names and not words.capitalised_nouns,
            bare=pack.person.drops_pronouns,
            verbs_last=pack.script == "devanagari",
            particles=_words(words.name_particles),
        )  # fmt: skip
    return found


@from_packs
def widespread_stop() -> frozenset[str]:
    """Function words of any widespread language: no sure name at the beginning of a sentence."""
    small = small_words()
    known = (small[code].stop for code, pack in packs().items() if pack.words.widespread)
    return frozenset[str]().union(*known)


@from_packs
def _united() -> dict[frozenset[str], SmallWords]:
    """Those of several languages together, as they are met."""
    return {}


def _together(codes: frozenset[str]) -> SmallWords:
    kept = _united()
    if codes not in kept:
        kept[codes] = _all_of([small_words()[code] for code in sorted(codes)])
    return kept[codes]


_FLAGS = ("inflects", "bare", "verbs_last")


def _all_of(some: Sequence[SmallWords]) -> SmallWords:
    names = [one.name for one in fields(SmallWords) if one.name not in _FLAGS]
    united = {name: frozenset[str]().union(*(getattr(one, name) for one in some)) for name in names}
    bare, last = (any(getattr(one, name) for one in some) for name in _FLAGS[1:])
    inflects = bool(some) and all(one.inflects for one in some if one.stop)
    return SmallWords(inflects=inflects, bare=bare, verbs_last=last, **united)


_CALLS = ("!", "?", "\uff01", "\uff1f", "\u061f")
_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")
_GENITIVE = re.compile(r"^['\u2019]s?$")
KIN = ("people.kin", "people.roles", "requests.kin")
"""What somebody can be to somebody."""


@dataclass(frozen=True, eq=False)
class ToldText:
    """The words of a text and what they are."""

    words: Words
    small: SmallWords
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


def told(text: str) -> ToldText:
    """The words of the beginning of a text."""
    found = scan(text[:MOST_CHARS])
    languages = _languages(found)
    hits = {
        name: tuple(hit for hit in found.found(name) if hit.language in languages)
        for name in _FIELDS
    }
    known = frozenset(languages & small_words().keys())
    return ToldText(found.words, _together(known), languages, hits)


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
