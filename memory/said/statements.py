"""Which sentences of a user's message state something about the user or their world. Pure.

A question, a request, small talk, a supposition, a game and somebody else's text state nothing. In
a message that wants a text changed, only sentences that speak of a person are kept: the others may
belong to that text.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import regex

from ..language import ANY, language_of, words_of
from ..language.cues import cues_in, says
from ..language.message import Reading, is_chore, is_social, take_apart
from ..language.requests import Cue
from ..language.sentences import is_question, sentences
from ..recall.traits import traits_of
from .pasted import own_text

MOST_CHARS = 12_000
"""Of a longer message, its first and last characters are read."""
MOST_SENTENCES = 40
OPENING = 2
"""Sentences in which a game or a story is announced."""
LONGEST = 600
"""Characters of the longest sentence that is kept: further ones are lists, logs or prose."""

_VERBS = (
    Cue.TRANSFORM, Cue.TASK, Cue.COMMAND, Cue.CALC, Cue.TIMER, Cue.DEVICE, Cue.WEB, Cue.LIVE,
    Cue.WORDING,
)  # fmt: skip
_LEADS = (Cue.OPENER, Cue.FRAME, Cue.HOWTO)
_ASKING = (Cue.OPENER, Cue.CALC, Cue.LIVE, Cue.TIMER, Cue.WORDING)
"""What only requests have, in a sentence that speaks of nobody."""
_KA = regex.compile(r"(?:か|吗|嗎|呢|까|까요|나요)[。.]?$")
"""How questions of Japanese, Chinese and Korean end, with or without a mark."""
_BEFORE = (Cue.GREET, Cue.POLITE, Cue.AFFIRM)
_CLAUSE = regex.compile(r"(?<=[,;:،，；、])\s*+|\s[-–—]\s")
_EDGES = " \t\n,;:–—-،，；、"
_LETTER = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FEWEST_WORDS, _FEWEST_UNSPACED = 2, 4
_NUMBERED = regex.compile(r"\d[.)]\s*$")
_TOLD = frozenset({"allergy", "diet", "health", "name", "home", "household", "work", "plan"})
_SPEAKER = regex.compile(r"^\p{Lu}[\p{L}\p{M}' .-]{0,30}:\s")


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence or a clause, and what it does."""

    text: str
    asks: bool
    """It is a question or a request."""
    personal: bool
    """It speaks of the user, of their people, or of a trait of a person."""
    changes: bool
    """It wants a given text changed."""
    idle: bool
    """It says nothing: small talk, a supposition, one word."""


def statements(text: str) -> list[str]:
    """The sentences that state something, in order, without white space around them."""
    if is_chore(text):
        return []
    own = own_text(_bounded(text))
    told = _sentences(own)[:MOST_SENTENCES]
    if any(says(sentence, "person.fiction") for sentence in told[:OPENING]):
        return []
    parts = list(map(_part, told))
    changes = any(part.changes for part in parts)
    found: list[str] = []
    for part in parts:
        if part.asks:
            found += _stated_beside(part.text)
        elif not part.idle and (part.personal or not changes):
            found.append(part.text)
    return found


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


def _part(text: str) -> _Part:
    if not _can_state(text):
        return _Part(text, _is_question(text), personal=False, changes=False, idle=True)
    if says(text, "person.hypothetical"):
        return _Part(text, asks=_is_question(text), personal=False, changes=False, idle=True)
    reading = Reading(take_apart(text))
    personal = _is_personal(text, reading)
    asks = _is_question(text) or _begins_with_request(reading)
    asks = asks or (not personal and reading.has(*_ASKING))
    idle = is_social(reading, reading.material.asked) or (
        not personal and reading.has(Cue.GENERAL, Cue.STRONG)
    )
    changes = bool(reading.requests(Cue.TRANSFORM))
    return _Part(text, asks, personal, changes, idle)


def _stated_beside(text: str) -> list[str]:
    """The clauses of a question or a request that state something of the user, as one."""
    clauses = [clause.strip(_EDGES) for clause in _clauses(text)]
    if len(clauses) == 1:
        return []
    kept = []
    for number, clause in enumerate(clauses):
        last = number == len(clauses) - 1
        if not clause or (last and _is_question(text)):
            continue
        part = _part(clause)
        if part.personal and not part.asks and not part.idle:
            kept.append(clause)
    return [", ".join(kept)] if kept else []


def _is_question(text: str) -> bool:
    return is_question(text) or _KA.search(text) is not None


def _clauses(text: str) -> list[str]:
    """The text in pieces: at punctuation, and behind what joins a fact to a question."""
    cuts = {match.end() for match in _CLAUSE.finditer(text)}
    words = words_of(text)
    language = language_of(text)
    joined = (hit for hit in cues_in(text, "person.joins") if hit.language == language)
    cuts |= {words.ends[hit.end - 1] for hit in joined}
    edges = [0, *sorted(cuts), len(text)]
    return [text[first:last] for first, last in pairwise(edges) if text[first:last].strip(_EDGES)]


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


def _is_personal(text: str, reading: Reading) -> bool:
    """Whether it speaks of somebody; unknown, so taken for granted, in a language without a file."""
    if reading.has(Cue.SELF, Cue.KIN, Cue.PRIVATE) or _SPEAKER.match(text):
        return True
    if reading.scan.languages <= {ANY}:
        return True
    return not traits_of(text).traits.isdisjoint(_TOLD)
