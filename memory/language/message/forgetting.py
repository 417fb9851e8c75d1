"""Reads sentences that may ask to forget or erase what is known of the user. Pure.

It reads words and their order. What they mean, `memory/forget/by_chat` decides: also of sentences
whose words say nothing of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ..detect import UNKNOWN, language_of, languages_of
from ..registry import packs
from ..requests import Cue, cues_of
from ..scanner import Scan, scan
from ..vocabulary import Hit
from ..words import folded_word, is_question
from .material import request_and_material

MOST_CHARS = 400
"""Nobody asks for it in a longer sentence."""
_MINE = (Cue.SELF, "people.first_person", "forget.mine")
_EDGES = " ,.;:!?\u3002\u3001\uff01\uff1f\u0964"
_CAPITAL_NOUNS = "de"
_NEAR = 5
"""Words before a verb in which a "not" may belong to it."""
_LONG, _FEW = 5, 12
"""Letters of a term that counts in any language, in a sentence of so few words: it tells its own
badly."""


class Scale(StrEnum):
    """The amount that is to be forgotten."""

    SOME = "some"
    """What the sentence says."""
    RECENT = "recent"
    """What was said just before."""
    EVERYTHING = "everything"
    """All that is known of the user."""


class Forget(NamedTuple):
    """A sentence that may ask to forget something."""

    sentence: str
    target: str
    """What it is about, without the request around it."""
    scale: Scale
    """No more than the words allow: a sentence that names something never asks for everything."""
    leads: bool
    """Nothing but courtesies and pronouns stand before the verb, or behind it where it is last."""
    marked: bool
    """It speaks of the user, or of what is known."""
    every: bool
    """It says "everything"."""
    orders: bool
    """It leads, and nobody says "I" before the verb: a request for whoever reads no meaning."""
    language: str
    """ISO 639-1."""
    worded: bool = True
    """It asks by its words; what does not may ask by its meaning."""
    names: bool = False
    """It has a word that is written like a name, where other nouns are not."""
    but: str | None = None
    """What is to stay; "" if the sentence excepts something and does not say plainly what."""

    def signs(self) -> tuple[float, ...]:
        """What the words tell of whether it asks, for a judge of its meaning."""
        denied = not self.worded and scan(self.sentence).has("forget.asks")
        plain = self.worded and self.leads and self.marked
        question = is_question(self.sentence)
        told = (self.worded, self.worded and self.leads, plain, denied, question, self.every)
        return tuple(map(float, told))


def wish_in(sentence: str) -> Forget | None:
    """The same of any sentence, whether or not its words ask; None if it is too long to ask."""
    if len(sentence) > MOST_CHARS:
        return None
    found = forget_in(sentence)
    if found is not None:
        return found
    text = request_and_material(sentence).asked
    return _Reader(text, scan(text)).unworded(sentence)


def forget_in(sentence: str) -> Forget | None:
    """What a sentence asks to forget; None if it has no such request by its words."""
    if len(sentence) > MOST_CHARS or not scan(sentence).has("forget.asks"):
        return None  # as nearly all
    text = request_and_material(sentence).asked
    found = scan(text)
    if not found.has("forget.asks"):
        return None
    return _Reader(text, found).forget(sentence)


class _Reader:
    """One sentence with a word for forgetting."""

    def __init__(self, text: str, found: Scan) -> None:
        self.text = text
        self.found = found
        self.cues = cues_of(text)
        self.folded = found.words.folded
        self.languages = languages_of(self.folded) | {language_of(text)}

    def hits(self, *fields: str) -> list[Hit]:
        hits = self.found.found(*fields)
        return [
            hit
            for hit in hits
            if hit.language in self.languages
            or (len(self.folded) <= _FEW and hit.letters(self.folded) >= _LONG)
        ]

    def covered(self, *fields: str) -> set[int]:
        return {i for hit in self.hits(*fields) for i in hit.own}

    def forget(self, sentence: str) -> Forget | None:
        asked = [hit for hit in self.hits("forget.asks") if not self._denied(hit)]
        self.languages |= {hit.language for hit in asked}
        if not asked:
            return None
        verb = max(asked, key=lambda hit: (self._leads(hit), hit.end - hit.start, -hit.start))
        verbs = {i for hit in asked for i in range(hit.start, hit.end)}
        mine = self._mine(verb) - verbs
        every, kept, told = (self.covered(f"forget.{name}") for name in ("all", "kept", "told"))
        about = self.covered("person.about_user")
        around = self._polite()
        if self._is_idiom(verb, kept | told | about):
            return None
        empty = verbs | mine | every | kept | told | about | around | self.cues.stop
        marked = bool(mine or kept or told or every or about)
        content = [i for i in range(len(self.folded)) if i not in empty]
        part, but = self._parted(content, bool(every), verbs)
        named = self._named(content)
        if content and (named or len(content) > 1 or not (every and about)):
            scale = Scale.SOME
        elif told and not about:
            scale = Scale.RECENT
        elif every or kept or about or mine:
            scale = Scale.EVERYTHING
        else:
            return None  # "forget it"
        leads, language = self._leads(verb), language_of(self.text)
        return Forget(
            sentence,
            self._without(verbs | around) if but is None else part,
            scale,
            leads,
            marked,
            bool(every),
            leads and not self._forgets(verb),
            verb.language if language == UNKNOWN else language,
            names=self._has_name(content, language),
            but=but,
        )

    def unworded(self, sentence: str) -> Forget:
        """What a sentence is about that has no word for forgetting, or denies it."""
        told = {n: self.covered(f"forget.{n}") for n in ("all", "kept", "told", "mine")}
        around = self._polite()
        every, mine = told["all"], self.covered(*_MINE)
        empty = around | self.cues.stop | mine | set().union(*told.values())
        content = [i for i in range(len(self.folded)) if i not in empty]
        about, but = self._parted(content, bool(every), set())
        return Forget(
            sentence,
            self._without(around | told["all"]) if but is None else about,
            Scale.SOME if content else Scale.EVERYTHING,
            leads=False,
            marked=bool(mine or told["kept"] or told["told"]),
            every=bool(every),
            orders=False,
            language=language_of(self.text),
            worded=False,
            names=self._has_name(content, language_of(self.text)),
            but=but,
        )

    def _parted(self, content: list[int], every: bool, verbs: set[int]) -> tuple[str, str | None]:
        """What a sentence is about and what it excepts; None if it excepts nothing.

        Of "everything but X" all that it names is X. With something before and behind the word it
        is whatever stands behind, where exceptions do.
        """
        limits = [
            hit
            for hit in self.hits("forget.limits")
            if verbs.isdisjoint(range(hit.start, hit.end))
            and any(i not in hit.own for i in content)
        ]
        if not limits or not (every or (len(limits) > 1 and limits[0].end == limits[1].start)):
            return "", None  # "but" alone goes on about something else
        covered = {i for hit in limits for i in hit.own}
        named = [i for i in content if i not in covered]
        before = [i for i in named if i < limits[0].start]
        behind = [i for i in named if i > limits[0].start]
        if every and not (before and behind):
            return "", self._only(named)
        if packs()[limits[0].language].forget.verb_last or not behind:
            return self._only(named), ""
        return self._only(before), self._only(behind)

    def _named(self, content: list[int]) -> list[int]:
        """The words that are written like names."""
        return [i for i in content if self.found.words.raw[i][0].isupper()]

    def _has_name(self, content: list[int], language: str) -> bool:
        starts = {first for first, _ in self.cues.sentences}
        return language != _CAPITAL_NOUNS and any(i not in starts for i in self._named(content))

    def _only(self, kept: list[int]) -> str:
        """These words alone, in their order."""
        return " ".join(self.found.words.raw[i] for i in kept)

    def _polite(self) -> set[int]:
        polite = self.covered("forget.agrees", "forget.polite")
        return polite | self.cues.covered(Cue.GREET, Cue.FRAME)

    def _mine(self, verb: Hit) -> set[int]:
        """The words for the user; "I" before a verb that is not the last is who forgets."""
        mine = self.covered(*_MINE)
        if packs()[verb.language].forget.verb_last or not self._leads(verb):
            return mine
        own = range(self._clause(verb.start), verb.start)
        return mine.difference(own)

    def _forgets(self, verb: Hit) -> bool:
        """Whether the user is who forgets: "I" stands before the verb."""
        if packs()[verb.language].forget.verb_last:
            return False
        before = range(self._clause(verb.start), verb.start)
        return not self.covered(*_MINE).isdisjoint(before)

    def _is_idiom(self, verb: Hit, said: set[int]) -> bool:
        """Whether a pronoun is all that the verb has: "forget it, let's go"."""
        if packs()[verb.language].forget.verb_last:
            return False
        starts = self.found.words.clause_starts
        behind = next((i for i in range(verb.end, len(self.folded)) if i in starts), None)
        if behind is None:
            return False
        own = set(range(verb.end, behind)) - self._polite()
        return bool(own) and own <= self.cues.stop and not said

    def _denied(self, hit: Hit) -> bool:
        """Whether a "not" belongs to the verb: it stands right behind it, or before it."""
        denies = [one for one in self.hits("forget.denies") if not _within(one, hit)]
        if packs()[hit.language].forget.verb_last:
            return any(one.end == hit.start or one.start == hit.end for one in denies)
        start = self._clause(hit.start)
        return any(
            one.start == hit.end or max(start, hit.start - _NEAR) <= one.start < hit.start
            for one in denies
        )

    def _leads(self, hit: Hit) -> bool:
        """Whether only courtesies and pronouns are between the verb and the edge of its clause."""
        polite = self._polite() | self.cues.stop
        before = range(self._clause(hit.start), hit.start)
        if polite.issuperset(before):
            return True
        last = packs()[hit.language].forget.verb_last
        return last and polite.issuperset(range(hit.end, len(self.folded)))

    def _clause(self, position: int) -> int:
        starts = self.found.words.clause_starts
        while position > 0 and position not in starts:
            position -= 1
        return position

    def _without(self, cut: set[int]) -> str:
        """The text without these words."""
        words, kept, done = self.found.words, [], 0
        for i in sorted(cut):
            kept += [self.text[done : words.starts[i]], " "]
            done = max(done, words.ends[i])
        return " ".join("".join([*kept, self.text[done:]]).split()).strip(_EDGES)


def objects_in(target: str, language: str) -> list[str]:
    """The things that a target joins by "and", each with a word of grammar or a name first. Pure.

    "My address and the car" are two, "fish and chips" are one.
    """
    pack = packs().get(language)
    joins = frozenset(map(folded_word, pack.calendar.and_)) if pack is not None else frozenset()
    words, stop = scan(target).words, cues_of(target).stop
    parts, first = [], 0
    for at in range(1, len(words.raw) - 1):
        begins = at + 1 in stop or words.raw[at + 1][0].isupper()
        if words.folded[at] in joins and begins and at > first:
            parts.append(target[words.starts[first] : words.ends[at - 1]])
            first = at + 1
    return [*parts, target[words.starts[first] :]] if parts else []


def clauses_in(text: str) -> list[str]:
    """The parts of a text between marks, each with a word or two: what it is about is one. Pure."""
    words = scan(text).words
    starts = sorted({0, *words.clause_starts} - {len(words.raw)}) if words.raw else []
    ends = [*starts[1:], len(words.raw)]
    parts = [
        text[words.starts[first] : words.ends[last - 1]]
        for first, last in zip(starts, ends, strict=True)
    ]
    return parts if len(parts) > 1 else []


def _within(one: Hit, other: Hit) -> bool:
    return other.start <= one.start and one.end <= other.end
