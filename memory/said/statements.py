# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""Which sentences of a user's message state something about the user or their world. Pure.

A question, a request, small talk, a supposition, a game and somebody else's text state nothing. Of
what is left, a sentence is kept that speaks of the user or their people, tells a trait of a person,
or holds a number or a name; of a story, all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import regex

from ..language import ANY, language_of, packs, words_of
from ..language.cues import cues_in, says
from ..language.message import Reading, is_chore, is_social, take_apart
from ..language.message.social import laughs
from ..language.requests import Cue
from ..language.sentences import is_question, sentences
from ..recall.traits import traits_of
from .pasted import own_words

MOST_CHARS = 12_000
"""Of a longer message, its first and last characters are read."""
MOST_SENTENCES = 40
LONGEST = 600
"""Characters of the longest sentence that is kept: further ones are lists, logs or prose."""
STORY_CHARS = 240
STORY_SHARE = 3
"""A message that tells so much, and so many times as much as it asks, is kept as a whole."""

CHAT_WORDS = 16
"""Words of the longest sentence that is small talk because it begins with a greeting."""

_VERBS = (
    Cue.TRANSFORM, Cue.TASK, Cue.COMMAND, Cue.CALC, Cue.TIMER, Cue.DEVICE, Cue.WEB, Cue.LIVE,
    Cue.WORDING,
)  # fmt: skip
_LEADS = (Cue.OPENER, Cue.FRAME, Cue.HOWTO)
_ASKING = (Cue.OPENER, Cue.CALC, Cue.LIVE, Cue.TIMER, Cue.WORDING)
"""What only requests have, in a sentence that speaks of nobody."""
_ASKS_AT_END = regex.compile(r"(?:か|吗|嗎|呢|까|까요|나요)[。.]?$")
"""How questions of Japanese, Chinese and Korean end, with or without a mark."""
_BEFORE = (Cue.GREET, Cue.POLITE, Cue.AFFIRM)
_CLAUSE = regex.compile(r"(?<=[,;:،，；、])(?!\d)\s*+|\s[-–—]\s")
_EDGES = " \t\n,;:–—-،，；、"
_LETTER = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FEWEST_WORDS, _FEWEST_UNSPACED = 2, 4
_NUMBERED = regex.compile(r"\d[.)]\s*$")
_NAMED = regex.compile(r"(?<=[\p{Ll}\p{M},:] )\p{Lu}\p{Ll}+|\d")
"""A capital inside a sentence, or a number."""
_TOLD = frozenset({
    "name", "language", "home", "household", "diet", "allergy", "health", "work", "plan", "avoids",
    "prefers", "wish",
})  # fmt: skip
_PLAIN = frozenset({"allergy", "diet", "health", "name", "home", "work", "plan"})
"""Traits that hardly anything else has."""
_SPEAKER = regex.compile(r"^\p{Lu}[\p{L}\p{M}' .-]{0,30}:\s")


@dataclass(frozen=True, slots=True)
class _Part:
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


def statements(text: str) -> list[str]:
    """The sentences that state something, in order, without white space around them."""
    if is_chore(text):
        return []
    own = own_words(_bounded(text))
    told = _before_fiction(_sentences(own.text)[:MOST_SENTENCES])
    parts = list(map(_part, told))
    story = _is_story(parts) and not own.works
    dropping = _drops_pronouns(own.text)
    plain = not own.works and not any(part.asks for part in parts)
    found: list[str] = []
    for part in parts:
        if part.asks:
            found += _stated_beside(part.text)
        elif not part.idle and (
            part.personal or story or (part.named and plain) or (plain and dropping)
        ):
            found.append(part.text)
    # A line of somebody who is named is told as a whole: its question may be half of its sense.
    return told if found and _SPEAKER.match(told[0]) else found


def _bounded(text: str) -> str:
    if len(text) <= MOST_CHARS:
        return text
    half = MOST_CHARS // 2
    return f"{text[:half]}\n\n{text[-half:]}"


def _sentences(text: str) -> list[str]:
    """Sentences; a number with a full stop does not end one ("am 15. Mai")."""
    joined: list[str] = []
    for sentence in sentences(text):
        if joined and _NUMBERED.search(joined[-1]) and "\n" not in joined[-1]:
            joined[-1] += sentence
        else:
            joined.append(sentence)
    return [sentence.strip() for sentence in joined if sentence.strip()]


def _before_fiction(told: list[str]) -> list[str]:
    """What is said before a game or a story begins."""
    for number, sentence in enumerate(told):
        if says(sentence, "person.fiction"):
            return told[:number]
    return told


def _is_story(parts: list[_Part]) -> bool:
    told = sum(len(part.text) for part in parts if not part.asks and not part.idle)
    asked = sum(len(part.text) for part in parts if part.asks)
    personal = any(part.personal for part in parts if not part.asks)
    return personal and told >= max(STORY_CHARS, STORY_SHARE * asked)


def _part(text: str) -> _Part:
    if not _can_state(text) or says(text, "person.hypothetical"):
        return _Part(text, asks=_is_question(text), idle=True)
    reading = Reading(take_apart(text))
    traits = traits_of(text).traits
    personal = _is_personal(text, reading, traits)
    asks = _is_question(text) or _begins_with_request(reading)
    short = len(reading.scan.words) <= CHAT_WORDS
    asks = asks or (short and not personal and reading.has(*_ASKING))
    named = bool(_NAMED.search(text)) or not traits.isdisjoint(_TOLD)
    return _Part(text, asks, personal, named, _is_idle(reading, personal=personal, named=named))


def _is_idle(reading: Reading, *, personal: bool, named: bool) -> bool:
    if is_social(reading, reading.material.asked):
        return True
    if reading.has(Cue.KIN, Cue.PRIVATE) or named or _SPEAKER.match(reading.material.asked):
        return not personal and reading.has(Cue.GENERAL, Cue.STRONG)
    if len(reading.scan.words) > CHAT_WORDS:
        return False
    chat = reading.scan.covered(Cue.GREET, Cue.AFFIRM) - reading.scan.covered(Cue.SELF)
    return 0 in chat or laughs(reading)


def _stated_beside(text: str) -> list[str]:
    """The clauses of a question or a request that state something of the user, as one."""
    clauses = [clause.strip(_EDGES) for clause in _clauses(text)]
    if len(clauses) == 1:
        return []
    kept = []
    for number, clause in enumerate(clauses):
        last = number == len(clauses) - 1
        if (last and _is_question(text)) or says(clause, "person.conditional"):
            continue
        part = _part(clause)
        if part.personal and not part.asks and not part.idle:
            kept.append(clause)
    return [", ".join(kept)] if kept else []


def _clauses(text: str) -> list[str]:
    """The text in pieces: at punctuation, and behind what joins a fact to a question."""
    cuts = {match.end() for match in _CLAUSE.finditer(text)}
    words = words_of(text)
    language = language_of(text)
    joined = (hit for hit in cues_in(text, "person.joins") if hit.language == language)
    cuts |= {words.ends[hit.end - 1] for hit in joined}
    edges = [0, *sorted(cuts), len(text)]
    return [text[first:last] for first, last in pairwise(edges) if text[first:last].strip(_EDGES)]


def _drops_pronouns(text: str) -> bool:
    """Whether "I" may go without saying in the language of a text."""
    pack = packs().get(language_of(text))
    return pack is not None and pack.person.drops_pronouns


def _is_question(text: str) -> bool:
    return is_question(text) or _ASKS_AT_END.search(text) is not None


def _can_state(sentence: str) -> bool:
    if len(sentence) > LONGEST:
        return False
    if len(_UNSPACED.findall(sentence)) >= _FEWEST_UNSPACED:
        return True
    return sum(_LETTER.search(word) is not None for word in sentence.split()) >= _FEWEST_WORDS


def _begins_with_request(reading: Reading) -> bool:
    """Whether it asks for something by its first words, after a greeting or "please"."""
    found = reading.scan
    before = found.covered(*_BEFORE) - found.covered(Cue.SELF)
    first = next((i for i in range(len(found.words)) if i not in before), None)
    if first is None:
        return False
    if any(hit.start <= first < hit.end for cue in _LEADS for hit in found.found(cue)):
        return True
    hits = [hit for cue in _VERBS for hit in reading.requests(cue)]
    return any(hit.start <= first < hit.end for hit in hits) or (
        bool(hits) and not found.has(Cue.SELF)
    )


def _is_personal(text: str, reading: Reading, traits: frozenset[str]) -> bool:
    """Whether it speaks of somebody; taken for granted in a language without a file."""
    if reading.has(Cue.SELF, Cue.KIN, Cue.PRIVATE) or _SPEAKER.match(text):
        return True
    return reading.scan.languages <= {ANY} or not traits.isdisjoint(_PLAIN)
