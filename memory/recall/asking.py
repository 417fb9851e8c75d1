# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""Decides whether a sentence tells something, or only asks or orders. Pure.

It decides no more than rank: what was asked is kept, and comes up only where it is evidence enough.
In doubt a sentence tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import regex

from ..language import ANY, Hit, language_of, languages_of, packs, scan, words_of
from ..language.detect import UNKNOWN
from ..language.message import Reading, is_social
from ..language.message.judged_message import laughs
from ..language.message.material import Material
from ..language.requests import Cue, cues_of, knows_requests
from ..language.words import is_question, may_ask, sentences, unspaced_in
from .traits import instructs, is_for_good

_VERBS = (Cue.TRANSFORM, Cue.TASK, Cue.CALC)
_LEADS = (Cue.OPENER, Cue.FRAME)
_LAUGHING = 6
"""Words of the longest sentence that is laughter if one of them is."""
_LONG_ENOUGH, _LONG = 4, 7
"""Letters of a term that counts whatever the language: of an unknown one, and of another one."""
_ASKS_AT_END = regex.compile(
    r"(?:か|吗|嗎|呢|了没|까|까요|나요|인지|是谁|什么|哪儿|哪里|哪儿来的|怎么办|为什么)[。.]?$|(?:가요|나요|까요)\s"
)
"""How questions of Japanese, Chinese and Korean end, with or without a mark."""
_HANDS = regex.compile(r"[:：](?:\s*$|\s{2,})")
"""Something stood behind the colon that is not the user's own text."""
_CLAUSE = regex.compile(r"(?<=[,;:،，；、])(?!\d)\s*+|\s[-–—]\s")
FEWEST, _FEWEST_UNSPACED = 4, 7
"""Words of the shortest clause that may tell, and characters in scripts without spaces."""
_LETTER = regex.compile(r"[\p{L}\p{N}]")


class Whole(NamedTuple):
    """The languages of the message that a sentence is of. A few words tell theirs badly."""

    languages: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Whole:
        """The likely languages, by words, and the likeliest by words and letters."""
        return cls(languages_of(words_of(text).folded) | {language_of(text)})

    def admits(self, hit: Hit, words: Sequence[str]) -> bool:
        """Whether the term may be of the message's language."""
        least = _LONG if self.languages - {ANY, UNKNOWN} else _LONG_ENOUGH
        return hit.language in self.languages or hit.letters(words) >= least

    def hits(self, text: str, field: str) -> list[Hit]:
        """The terms of a field of the packs in a part, in the message's languages."""
        read = scan(text)
        return [hit for hit in read.found(field) if self.admits(hit, read.words.folded)]


def only_asks(sentence: str, whole: Whole) -> bool:
    """Whether it is a question, an order, small talk, or no word at all.

    A clause of it that does none of these tells: "I have 10K, is that enough for a week?"
    """
    if not _asks(sentence, whole):
        return False
    clauses = _CLAUSE.split(sentence)
    return len(clauses) == 1 or all(_is_brief(one) or _asks(one, whole) for one in clauses)


def only_asks_where(text: str, told: Callable[[str], bool]) -> bool:
    """Whether a sentence of a text that passes is a question, an order or small talk."""
    whole = Whole.of(text)
    return any(told(one) and only_asks(one, whole) for one in sentences(text))


def _is_brief(clause: str) -> bool:
    """Whether it has too few words to tell something."""
    words = len(clause.split())
    return words < FEWEST and unspaced_in(clause) < _FEWEST_UNSPACED


def _asks(sentence: str, whole: Whole) -> bool:
    """Whether it is a question, an order, small talk, or no word at all."""
    if not _LETTER.search(sentence):
        return True
    if instructs(sentence):
        return False
    if asks_at_end(sentence) or is_small_talk(sentence):
        return True
    reading = Reading(Material(sentence))
    asks = _begins_with_request(reading, whole) or _is_order(reading, whole)
    return asks and not (is_for_good(sentence) and not _HANDS.search(sentence))


def is_small_talk(sentence: str) -> bool:
    """Whether it is greeting, thanks, yes, no or laughter."""
    reading = Reading(Material(sentence))
    laughing = len(reading.scan.words) <= _LAUGHING and laughs(reading)
    return laughing or is_social(reading, sentence)


def asks_at_end(text: str) -> bool:
    """Whether it ends as a question, with or without a mark."""
    return is_question(text) or _ASKS_AT_END.search(text) is not None


def _begins_with_request(reading: Reading, whole: Whole) -> bool:
    """Whether it asks for something by its first words, after a greeting or "please"."""
    found = reading.scan
    before = found.covered(Cue.GREET) - found.covered(Cue.SELF)
    joins = whole.hits(reading.material.asked, "person.joins")
    before |= {i for hit in joins for i in range(hit.start, hit.end)}
    first = found.first_besides(before)
    if first is None:
        return False
    leads = (hit for cue in _LEADS for hit in found.found(cue) if whole.admits(hit, found.words))
    if any(hit.start <= first < hit.end for hit in leads):
        return True
    hits = [hit for cue in _VERBS for hit in reading.requests(cue)]
    return any(hit.start <= first < hit.end for hit in hits) or (
        bool(hits) and not found.has(Cue.SELF)
    )


def _is_order(reading: Reading, whole: Whole) -> bool:
    """Whether it is an order for the assistant, by its first words or its last ones."""
    text, found = reading.material.asked, reading.scan
    first = found.first_besides(found.covered(Cue.GREET))
    return any(hit.start in (0, first) for hit in whole.hits(text, "person.orders")) or any(
        hit.end == len(found.words) for hit in whole.hits(text, "person.orders_last")
    )


def names_user(text: str) -> bool:
    """Whether a word for the user or their people is in it."""
    return cues_of(text).has(Cue.SELF, Cue.KIN)


def speaks_of_user(text: str) -> bool:
    """Whether it speaks of the user or their people; taken for granted where words need not."""
    found = cues_of(text)
    return found.has(Cue.SELF, Cue.KIN) or not any(map(_says_i, found.languages - {ANY}))


def _says_i(language: str) -> bool:
    return knows_requests(language) and not packs()[language].person.drops_pronouns


def may_concern_answers(text: str) -> bool:
    """Whether an order may be about answers: neither a question, nor small talk, nor work.

    What stands behind a colon is worked on.
    """
    if may_ask(text) or asks_at_end(text) or ":" in text or is_small_talk(text):
        return False
    reading = Reading(Material(text))
    return not (reading.requests(Cue.TRANSFORM) or reading.requests(Cue.CALC))
