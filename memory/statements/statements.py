# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""Which sentences of a user's message state something about the user or their world. Pure.

A question, a request, small talk, a supposition, a game and somebody else's text state nothing. Of
what is left, in doubt a user's own statement is kept. A sentence that speaks of the user or their
people, or tells a trait of a person, is kept wherever it stands, and so are the others of its
message: they go on with it ("My wife can't have onions. Any kind. Tears her stomach up."). Without
such a sentence, one is kept that stands before what is asked, because behind it stands how to
answer ("60 words, in rhyme"), and nothing but in a message of the user's own words, without small
talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from ..language import language_of, languages_of, words_of
from ..language.detect import function_words
from ..language.message import is_chore
from ..language.message.forgetting import forget_in
from ..language.pasted import own_words
from ..language.requests import knows_requests
from ..language.scanner import cues_in, says
from ..language.words import sentences
from ..recall.traits import instructs, is_for_good
from .sentence import (
    Sentence,
    Whole,
    asks_at_end,
    begins_written,
    ends_told,
    has_capital_inside,
    is_clause,
    is_line,
    is_order,
    points_back,
    read_sentence,
    speaks_of_user,
    weight,
)

STORY_CHARS = 240
STORY_SHARE = 3
"""A message that tells so much, and so many times as much as it asks, is kept as a whole."""
FEWEST_WORDS, FEWEST_WEIGHT = 4, 30
"""Words, or weight without spaces, of the shortest sentence that is kept for its length alone."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A message's sentences, and what is known of them together."""

    parts: Sequence[Sentence]
    asked: int
    """The first sentence that asks; their number if none does."""
    works: bool
    """The message has code, or a text that something is to be done with."""
    alone: bool
    """It is nothing but the user's own words."""
    drops_pronouns: bool
    story: bool
    personal: bool
    """A sentence speaks of the user."""
    social: bool
    """A sentence says nothing."""
    full: bool
    """A sentence before what is asked is long enough to tell something."""

    @classmethod
    def of(cls, parts: Sequence[Sentence], whole: Whole, *, alone: bool) -> Telling:
        """What the sentences of a message are together."""
        told = [part for part in parts if not part.asks]
        asked = next((n for n, part in enumerate(parts) if part.asks), len(parts))
        return cls(
            parts=parts,
            asked=asked,
            works=whole.works,
            alone=alone and not whole.works,
            drops_pronouns=whole.drops_pronouns,
            story=_is_story(parts, works=whole.works),
            personal=any(part.personal and not part.idle for part in told),
            social=any(part.idle for part in told),
            full=any(_is_long(part.text) for part in parts[:asked]),
        )

    def keeps(self, number: int) -> bool:
        """Whether this sentence, which does not ask, is kept."""
        part = self.parts[number]
        if part.idle:
            return False
        if part.personal or self.story:
            return True
        if self.works:
            return False
        plain = self.asked == len(self.parts)
        if self.personal or (self.drops_pronouns and (part.named or plain)):
            return True
        if part.named and (plain or (self.alone and number < self.asked)):
            return True
        return self.alone and not self.social and number < self.asked and self.full


def _is_story(parts: Sequence[Sentence], *, works: bool) -> bool:
    """Beside a text that is handed over, a story speaks of its teller more than once."""
    told = sum(len(part.text) for part in parts if not part.asks and not part.idle)
    asked = sum(len(part.text) for part in parts if part.asks)
    personal = sum(part.personal for part in parts if not part.asks)
    return personal >= (2 if works else 1) and told >= max(STORY_CHARS, STORY_SHARE * asked)


def _is_long(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS or weight(text) > FEWEST_WEIGHT


MOST_CHARS = 12_000
"""Of a longer message, its first and last characters are read."""
MOST_SENTENCES = 40
OTHERS_WEIGHT = 130
"""From which a text without the user is somebody else's."""
OTHERS_WEIGHT_DROPPING = 180
"""The same where "I" may go without saying."""
SURELY = 0.1
"""Least share of function words in a text whose language is not only guessed."""
ASKED_CHARS = 200
"""Of the longest question that is kept with the statement after it."""
_CLAUSE = regex.compile(r"(?<=[,;:،，；、])(?!\d)\s*+|\s[-–—]\s")
_SPACE = regex.compile(r"\s+")
_EDGES = " \t\n,;:–—-،，；、"
_NUMBERED = regex.compile(r"\d[.)]\s*$")


def statements_in(text: str) -> list[str]:
    """The sentences that state something, in order, without white space around them."""
    if is_chore(text) and not (instructs(text) or is_for_good(text)):
        return []
    text = _bounded(text)
    own = own_words(text)
    told = _before_fiction(_sentences(own.text)[:MOST_SENTENCES])
    told = [sentence for sentence in told if not _is_to_be_forgotten(sentence)]
    whole = Whole(languages_in(text), own.works)
    parts = _sure([_read(sentence, whole) for sentence in told], whole)
    spoken = bool(told) and is_line(told[0])
    if not spoken and _is_of_others(own.text, parts, whole):
        return []
    telling = Telling.of(parts, whole, alone=_is_alone(text, own.text))
    found: list[str] = []
    for number, part in enumerate(parts):
        if part.asks:
            found += _stated_beside(part.text, whole)
        elif telling.keeps(number):
            found.append(_with_what_it_means(part, parts[number - 1] if number else None))
    # A line of somebody who is named is told as a whole: its question may be half of its sense.
    return told if found and spoken else found


def _read(sentence: str, whole: Whole) -> Sentence:
    """A sentence asks too if its last clause is an order: "in this text, find the verbs"."""
    read = read_sentence(sentence, whole)
    if read.asks or instructs(sentence) or is_for_good(sentence):
        return read
    last = _clauses(sentence)[-1:]
    return replace(read, asks=bool(last) and is_order(last[0].strip(_EDGES), whole))


def _sure(parts: list[Sentence], whole: Whole) -> list[Sentence]:
    """With those as told that ask only by a word inside, end as told and stand before a request.

    Behind it they say how to answer: "eight lines are enough." One that stands alone is told if it
    ends so, or is written with capitals: "Mr Haverstock has two pins in his elbow". Of 1,700
    requests and turns that tell nothing four more pass so, of 600 innocent turns 44.
    """
    if whole.works:
        return parts
    if len(parts) == 1:
        return [_told(part) if _is_told_alone(part) else part for part in parts]
    asked = next((n for n, part in enumerate(parts) if part.asks and not part.unsure), len(parts))
    return [
        _told(part) if part.unsure and n < asked and ends_told(part.text) else part
        for n, part in enumerate(parts)
    ]


def _told(part: Sentence) -> Sentence:
    return replace(part, asks=False)


def _is_told_alone(part: Sentence) -> bool:
    if not part.unsure:
        return False
    return ends_told(part.text) or has_capital_inside(part.text) or begins_written(part.text)


def _is_to_be_forgotten(sentence: str) -> bool:
    """What a user asks to forget is no statement, whoever reads the request."""
    asked = forget_in(sentence)
    return asked is not None and asked.orders and asked.marked


def _is_alone(text: str, own: str) -> bool:
    """Whether all of it is the user's own: what stands beside code or a quotation speaks of it."""
    return len(_SPACE.sub("", own)) >= len(_SPACE.sub("", text))


def _bounded(text: str) -> str:
    if len(text) <= MOST_CHARS:
        return text
    half = MOST_CHARS // 2
    return f"{text[:half]}\n\n{text[-half:]}"


def languages_in(text: str) -> frozenset[str]:
    """The likely languages, by words, and the likeliest by words and letters."""
    return languages_of(words_of(text).folded) | {language_of(text)}


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


def _is_of_others(text: str, parts: list[Sentence], whole: Whole) -> bool:
    """Whether a longer text is news, an advert or a review: nobody tells so much without "I"."""
    told = sum(weight(part.text) for part in parts if not part.asks)
    least = OTHERS_WEIGHT_DROPPING if whole.drops_pronouns else OTHERS_WEIGHT
    if told < least or not _is_surely_known(text):
        return False
    return not any(speaks_of_user(part.text, whole) for part in parts)


def _is_surely_known(text: str) -> bool:
    """Whether it is in a language whose file knows the words for the user."""
    language = language_of(text)
    frequent = function_words().get(language)
    if not knows_requests(language) or not frequent:
        return knows_requests(language)
    words = [word.lower() for word in words_of(text).raw]
    return sum(word in frequent for word in words) >= SURELY * len(words)


def _with_what_it_means(part: Sentence, before: Sentence | None) -> str:
    """A statement right after a question, with the question if it is about what that names.

    "Is 650 enough for a laptop? That's all I have": the amount is in the question.
    """
    if before is None or not before.asks or len(before.text) > ASKED_CHARS or instructs(part.text):
        return part.text  # what is to last is not about the question
    return f"{before.text} {part.text}" if points_back(part) else part.text


def _stated_beside(text: str, whole: Whole) -> list[str]:
    """The clauses of a question or a request that state something of the user, as one."""
    sure = _before_supposed(text)
    cut = _clauses(sure)
    clauses = [clause.strip(_EDGES) for clause in cut]
    if len(clauses) == 1 and clauses[0] == text.strip(_EDGES):
        return []
    kept: list[int] = []
    for number, clause in enumerate(clauses):
        last = number == len(clauses) - 1
        if (last and asks_at_end(sure)) or whole.says(clause, "person.conditional"):
            continue
        part = read_sentence(clause, whole)
        continues = bool(kept) and kept[-1] == number - 1
        if not part.asks and (continues or (part.personal and not part.idle and is_clause(clause))):
            kept.append(number)
    return [_joined(cut, kept)] if kept else []


def _joined(clauses: Sequence[str], kept: Sequence[int]) -> str:
    """These clauses, as they stand where one follows the other."""
    runs: list[str] = []
    for number in kept:
        if runs and number - 1 in kept:
            runs[-1] += clauses[number]
        else:
            runs.append(clauses[number])
    return ", ".join(run.strip(_EDGES) for run in runs)


def _before_supposed(text: str) -> str:
    """The text up to where it begins to suppose: all that follows is supposed too."""
    starts = words_of(text).starts
    supposed = (starts[hit.start] for hit in cues_in(text, "person.hypothetical"))
    return text[: min(supposed, default=len(text))]


def _clauses(text: str) -> list[str]:
    """The text in pieces: at punctuation, and behind what joins a fact to a question."""
    cuts = {match.end() for match in _CLAUSE.finditer(text)}
    words = words_of(text)
    language = language_of(text)
    joined = (hit for hit in cues_in(text, "person.joins") if hit.language == language)
    cuts |= {words.ends[hit.end - 1] for hit in joined}
    edges = [0, *sorted(cuts), len(text)]
    return [text[first:last] for first, last in pairwise(edges) if text[first:last].strip(_EDGES)]
