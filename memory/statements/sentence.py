# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""What one sentence or clause of a user's message does: ask, tell, or nothing. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import regex

from ..language import ANY, Hit, Scan, packs, scan
from ..language.detect import UNKNOWN
from ..language.message import Reading, is_social, take_apart
from ..language.message.asked import laughs
from ..language.message.material import Material
from ..language.requests import Cue, cues_of, knows_requests
from ..language.words import is_question
from ..recall.traits import WISH, instructs, is_for_good, traits_of

LONGEST = 600
"""Characters of the longest sentence that is kept: further ones are lists, logs or prose."""
CHAT_WORDS = 16
"""Words of the longest sentence that is small talk because it begins with a greeting.

Twice as many in scripts without spaces, whose words are single characters here.
"""
_VERBS = (Cue.TRANSFORM, Cue.TASK, Cue.CALC)
_LEADS = (Cue.OPENER, Cue.FRAME)
_ASKING = (Cue.OPENER, Cue.CALC)
"""What only requests have, in a sentence that speaks of nobody."""
_ASKS_AT_END = regex.compile(
    r"(?:か|吗|嗎|呢|了没|까|까요|나요|인지|是谁|什么|哪儿|哪里|哪儿来的|怎么办|为什么)[。.]?$|(?:가요|나요|까요)\s"
)
"""How questions of Japanese, Chinese and Korean end, with or without a mark."""
_ENDS_TOLD = (".", "!", "…", "。", "！", "।")
_CLOSING = " \t\n\"'”’»)*_"
_REMARK = 80
"""The `weight` up to which a statement is a remark on the question before it."""
_LAUGHING = 6
"""Words of the longest sentence that is laughter if one of them is."""
_LONG_ENOUGH, _LONG = 4, 7
"""Letters of a term that counts whatever the language: of an unknown one, and of another one."""
_HANDS = regex.compile(r"[:：](?:\s*$|\s{2,})")
"""Something stood behind the colon that is not the user's own text."""
_LETTER = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FEWEST_WORDS, _FEWEST_UNSPACED = 2, 4
_TOPIC_WORDS, _TOPIC_UNSPACED = 2, 7
_CAPITAL_INSIDE = regex.compile(r"(?<=[\p{Ll}\p{M}\d,:] )\p{Lu}\p{Ll}+")
_BEGINS = regex.compile(r"\p{Lu}\p{Ll}")
_NUMBER = regex.compile(r"\d")
_PLAIN = frozenset({"allergy", "diet", "health", "name", "plan"})
"""Traits that hardly anything else has."""
_TOLD = _PLAIN | {WISH}
_SPEAKER = regex.compile(r"^\p{Lu}[\p{L}\p{M}' .-]{0,30}:\s+[\p{L}\"'“]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or a clause, and what it does."""

    text: str
    asks: bool = False
    """It is a question or a request."""
    personal: bool = False
    """It speaks of the user, of their people, or tells a trait of a person."""
    named: bool = False
    """It has a number or a name, or a trait."""
    idle: bool = False
    """It says nothing: small talk, a supposition, one word."""
    unsure: bool = False
    """That it asks is told by a word inside it alone: "is" asks nothing in "the flat is sold"."""


class Whole(NamedTuple):
    """The message that a part is of. A clause alone tells its language badly."""

    languages: frozenset[str]
    works: bool = False
    """It has code, or a text that something is to be done with."""

    def admits(self, hit: Hit, read: Scan) -> bool:
        """Whether the term may be of the message's language, which a few words tell badly."""
        least = _LONG if self.languages - {ANY, UNKNOWN} else _LONG_ENOUGH
        return hit.language in self.languages or hit.letters(read.words.folded) >= least

    def says(self, text: str, field: str) -> bool:
        """Whether a term of a field of the packs is in a part, in the message's languages."""
        return bool(self.hits(text, field))

    def hits(self, text: str, field: str) -> list[Hit]:
        """The terms of a field of the packs in a part, in the message's languages."""
        read = scan(text)
        return [hit for hit in read.found(field) if self.admits(hit, read)]

    def found(self, reading: Reading, *cues: Cue) -> list[Hit]:
        """The hits of these cues in the message's languages."""
        hits = (hit for cue in cues for hit in reading.scan.found(cue))
        return [hit for hit in hits if hit.language in self.languages]

    @property
    def unread(self) -> bool:
        """Whether no language of it has a file that knows how people speak of themselves."""
        return not any(map(knows_requests, self.languages))

    @property
    def drops_pronouns(self) -> bool:
        """Whether "I" may go without saying in one of them."""
        known = packs()
        return any(known[code].person.drops_pronouns for code in self.languages if code in known)


def read_sentence(text: str, whole: Whole) -> Sentence:
    """What a sentence, or a clause of one, does."""
    if not _can_state(text) or whole.says(text, "person.hypothetical"):
        return Sentence(text, asks=asks_at_end(text), idle=True)
    if instructs(text):
        return Sentence(text, personal=True, named=True)
    reading = Reading(take_apart(text))
    traits = traits_of(text)
    personal = _is_personal(text, reading, traits, whole)
    told = not traits.isdisjoint(_PLAIN)
    asks = (
        asks_at_end(text)
        or _begins_with_request(reading, whole, told=told)
        or is_order(text, whole)
    )
    unsure = not asks and not personal and _is_short(reading) and _has_word(reading, *_ASKING)
    named = names(text) or not traits.isdisjoint(_TOLD)
    idle = _is_idle(reading, personal=personal, named=named)
    if (asks or unsure or idle) and _is_to_last(text, reading, whole):
        return Sentence(text, personal=True, named=True)
    return Sentence(text, asks or unsure, personal, named, idle, unsure)


def _is_to_last(text: str, reading: Reading, whole: Whole) -> bool:
    """Whether it is an order that lasts: no question, and no work on a text that is handed over."""
    if _HANDS.search(text) or not is_for_good(text) or asks_at_end(text):
        return False
    return not (whole.works or reading.requests(Cue.TRANSFORM) or reading.has(Cue.CALC))


def names(text: str) -> bool:
    """Whether a number or a name is in it, as far as capitals tell."""
    return has_capital_inside(text) or _NUMBER.search(text) is not None


def begins_written(text: str) -> bool:
    """Whether it begins as a written sentence does: few type a question so."""
    return _BEGINS.match(text) is not None


def has_capital_inside(text: str) -> bool:
    """Whether a word inside it is written like a name."""
    return _CAPITAL_INSIDE.search(text) is not None


def ends_told(text: str) -> bool:
    """Whether it ends as a statement, with a mark."""
    return text.rstrip(_CLOSING).endswith(_ENDS_TOLD)


def weight(text: str) -> int:
    """Characters of a text, three for one of a script without spaces."""
    return len(text) + 2 * len(_UNSPACED.findall(text))


def speaks_of_user(text: str, whole: Whole) -> bool:
    """Whether the user or their people are in a sentence, by a word for them."""
    return bool(whole.found(Reading(Material(text)), Cue.SELF, Cue.KIN))


def points_back(sentence: Sentence) -> bool:
    """Whether it means something that is named before it: "that's all I have"."""
    return (
        not sentence.named
        or weight(sentence.text) <= _REMARK
        or cues_of(sentence.text).has(Cue.ANAPHORA)
    )


def is_line(text: str) -> bool:
    """Whether it is a line of somebody who is named: "Ann: I'm here"."""
    return _SPEAKER.match(text) is not None


def _is_idle(reading: Reading, *, personal: bool, named: bool) -> bool:
    if is_social(reading, reading.material.asked):
        return True
    if reading.has(Cue.KIN) or named or is_line(reading.material.asked):
        return not personal and reading.has(Cue.GENERAL, Cue.STRONG)
    if not _is_short(reading):
        return False
    if laughs(reading) and len(reading.scan.words) <= _LAUGHING:
        return True
    if personal and not reading.has_case:
        return laughs(reading)  # names cannot be told by their capitals
    chat = reading.scan.covered(Cue.GREET) - reading.scan.covered(Cue.SELF)
    return 0 in chat or laughs(reading)


def _is_short(reading: Reading) -> bool:
    most = CHAT_WORDS * (2 if _UNSPACED.search(reading.material.asked) else 1)
    return len(reading.scan.words) <= most


def asks_at_end(text: str) -> bool:
    """Whether it ends as a question, with or without a mark."""
    return is_question(text) or _ASKS_AT_END.search(text) is not None


def _has_word(reading: Reading, *cues: Cue) -> bool:
    """Whether one of these cues has a term of more than one letter: か is also a part of しか."""
    hits = (hit for cue in cues for hit in reading.scan.found(cue))
    return any(hit.letters(reading.scan.words) > 1 for hit in hits)


def _can_state(sentence: str) -> bool:
    if len(sentence) > LONGEST:
        return False
    if len(_UNSPACED.findall(sentence)) >= _FEWEST_UNSPACED:
        return True
    return sum(_LETTER.search(word) is not None for word in sentence.split()) >= _FEWEST_WORDS


def _begins_with_request(reading: Reading, whole: Whole, *, told: bool) -> bool:
    """Whether it asks for something by its first words, after a greeting or "please".

    A verb anywhere makes a request of a sentence without the user, if no trait is `told`.
    """
    found = reading.scan
    before = found.covered(Cue.GREET) - found.covered(Cue.SELF)
    joins = whole.hits(reading.material.asked, "person.joins")
    before |= {i for hit in joins for i in range(hit.start, hit.end)}
    first = found.first_besides(before)
    if first is None:
        return False
    if any(hit.start <= first < hit.end for cue in _LEADS for hit in found.found(cue)):
        return True
    hits = [hit for cue in _VERBS for hit in reading.requests(cue)]
    return any(hit.start <= first < hit.end for hit in hits) or (
        bool(hits) and not told and not found.has(Cue.SELF)
    )


def is_clause(text: str) -> bool:
    """Whether a piece of a sentence states something by itself: two words are often its topic."""
    if len(_UNSPACED.findall(text)) > _TOPIC_UNSPACED or len(text.split()) > _TOPIC_WORDS:
        return True
    return cues_of(text).has(Cue.SELF) or not traits_of(text).isdisjoint(_PLAIN)


def is_order(text: str, whole: Whole) -> bool:
    """Whether it is an order for the assistant: by its first words, its last ones, or a colon."""
    if _HANDS.search(text):
        return True
    found = cues_of(text)
    first = found.first_besides(found.covered(Cue.GREET))
    read = scan(text)
    return any(
        whole.admits(hit, read) and hit.start in (0, first) for hit in read.found("person.orders")
    ) or any(
        whole.admits(hit, read) and hit.end == len(found.words)
        for hit in read.found("person.orders_last")
    )


def _is_personal(text: str, reading: Reading, traits: frozenset[str], whole: Whole) -> bool:
    """Whether it speaks of somebody; taken for granted in a language without a file."""
    if is_line(text) or not traits.isdisjoint(_PLAIN):
        return True
    if whole.found(reading, Cue.SELF, Cue.KIN):
        return True
    if whole.drops_pronouns and not traits.isdisjoint(_TOLD):
        return True
    return not whole.works and (whole.unread or reading.scan.languages <= {ANY})
