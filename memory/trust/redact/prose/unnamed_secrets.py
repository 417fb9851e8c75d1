# ruff: noqa: RUF001
"""Finds values that open something although nothing names them: "the laptop opens with ...".

A value is taken if it looks like a secret and its sentence, or one beside it, tells of getting in.
The less it looks like one, the more must be told: both give points, and `_ENOUGH` of them decide.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from ....language import ANY
from ....language.vocabulary import Hit
from ..formats.view import Finding
from .named_secrets import CLAUSE_END, Tie, tie
from .password_shape import KEYS, ScoredValue, Value, scored, values
from .terms import Prose, digits_in

_ENOUGH = 4.5
"""At 4 points 7 more of 381 secrets would be found and 3 more of 377 decoys touched; at 5, 16 fewer
and none (docs/security.md)."""
_NAMES = tuple(f"secrets.{name}" for name in ("password", "code", "key", "phrase", "login"))
_SECRET = _NAMES[:-1]
"""Names of what is secret; an account is not."""
_TOLD = (
    (2.0, _NAMES),
    (2.0, ("secrets.opens",)),
    (1.5, ("secrets.service", "secrets.things")),
    (2.0, ("secrets.coded",)),
    (1.0, ("secrets.lock",)),
)
"""What a sentence tells of getting in, each kind once: how, and into what."""
_LOCKED = ("secrets.coded", "secrets.lock", "secrets.keypad", "secrets.password", "secrets.code")
_ASKED = ("secrets.opens", *_NAMES, "secrets.keypad")
_CUES = frozenset(name for _, names in _TOLD for name in names)
_BESIDE = 1.0
"""How much the sentences before and after count."""
_BEHIND = 2
"""Characters behind the last word of a sentence that may belong to a value: "!", "*"."""
_TELLING = 4
"""Fewest digits that may be a code although no code is named."""
_FEWEST_WORDS = 3
"""Words for digits in a row."""
_REPEATED = 0.5
"""More if one of them comes twice, which it does not where somebody counts."""
_DIAL = 3.0
"""Points from which two-digit numbers in a row are the numbers of a dial."""
_SMALL = re.compile(r"\d{1,2}")
_TURNS = (3, 4)
_NEXT_TURN = 32
"""Most characters between two numbers of a dial."""
_APART = re.compile(r"\d[ -]\d[ -]\d[ -]\d")
_WORDS = re.compile(r"\S+")
_MADE_UP = re.compile(r"[\d@#$%&_]|[^\W_][-.!?][^\W_]")
"""What every value has; most words have nothing of it."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """The words of a sentence about getting in."""

    points: float = 0.0
    locked: bool = False
    """Whether something is named that a code opens, or a key beside digits."""
    asked: bool = False
    """Whether a code is named, or how it is put in: the number of a locker opens nothing."""
    named: bool = False
    """Whether a secret is named."""
    served: bool = False
    """Whether something is named that has accounts or guests."""
    coded: int | None = None
    """Where something is named that nothing but a code opens."""

    def takes(self, one: ScoredValue) -> bool:
        """Whether a value may be a code of it, as far as what it is goes."""
        if one.is_name:
            return self.named
        if not (one.is_code or one.is_formed):
            return self.asked or self.served
        if not one.plain:
            return True
        alone = self.coded is not None and self.coded < one.start and one.digits >= _TELLING
        return self.locked and (self.asked or alone)


_NO_PURPOSE = Purpose()


def find_unnamed(read: Prose) -> Iterator[Finding]:
    """Values that open something: passwords and codes."""
    yield from (Finding(*span, "phrase") for span in seeds(read))
    told, alone = _purposes(read), _tell_alone(read)
    if not (told or alone or read.has_numerals):
        return
    for number, (first, last) in enumerate(read.seen.words.sentences):
        is_told = any(one.points for one in told[max(0, number - 1) : number + 2])
        shown = (is_told or alone) and _has_value(read, first, last)
        spoken = _has_spoken(read, first, last)
        if not (shown or spoken) or number in read.invented:
            continue  # as most sentences
        purpose = _with_neighbours(told, number) if is_told else _NO_PURPOSE
        if shown:
            yield from _made_up(read, first, last, purpose)
        if spoken:
            yield from _spoken(read, first, last, purpose)
        if shown:
            yield from _dialled(read, first, last, purpose)


def _tell_alone(read: Prose) -> bool:
    """Whether values can look like secrets enough without a sentence that tells of getting in.

    None is worth so much but digits apart, digits with a key beside them, and Latin letters in a
    text of another script.
    """
    text = read.view.text
    if _APART.search(text) or not read.is_latin:
        return True
    return read.has_numerals and bool(read.keypad or KEYS.search(text))


def _has_value(read: Prose, first: int, last: int) -> bool:
    """Whether anything in a sentence is written as a value is."""
    words = read.seen.words
    return bool(
        _MADE_UP.search(read.view.text, words.starts[first], words.ends[last - 1] + _BEHIND)
    )


def _has_spoken(read: Prose, first: int, last: int) -> bool:
    """Whether so many words for digits stand in a sentence that they may be a code."""
    if not read.has_numerals:
        return False
    numerals = read.numerals
    inside = numerals[bisect_left(numerals, first) : bisect_left(numerals, last)]
    if len(inside) >= _FEWEST_WORDS:
        return True
    folded = read.seen.words.folded
    return sum(digits_in(folded[word]) or 1 for word in inside) >= _FEWEST_WORDS


def _purposes(read: Prose) -> Sequence[Purpose]:
    """What each sentence tells; nothing if none tells anything."""
    section = read.seen.section("secrets")
    if section.keys().isdisjoint(_CUES):
        return ()
    points = [0.0] * len(read.ends)
    for worth, names in _TOLD:
        for number in {read.sentence_of(hit.start) for hit in _hits(read, names)}:
            points[number] += worth
    locked = {read.sentence_of(hit.start) for hit in _hits(read, _LOCKED)}
    asked = {read.sentence_of(hit.start) for hit in _hits(read, _ASKED)}
    named = {read.sentence_of(hit.start) for hit in _hits(read, _SECRET)}
    served = {read.sentence_of(hit.start) for hit in _hits(read, ("secrets.service",))}
    coded: dict[int, int] = {}
    for hit in _hits(read, ("secrets.coded",)):
        coded.setdefault(read.sentence_of(hit.start), read.span(hit)[0])
    return [
        Purpose(p, i in locked, i in asked, i in named, i in served, coded.get(i))
        for i, p in enumerate(points)
    ]


def _hits(read: Prose, names: Sequence[str]) -> Iterator[Hit]:
    """The hits of these fields outside the names of other things."""
    section = read.seen.section("secrets")
    others = read.other_things
    return (hit for name in names for hit in section.get(name, ()) if hit.start not in others)


def _with_neighbours(told: Sequence[Purpose], number: int) -> Purpose:
    """What a sentence tells together with those before and after it."""
    here = told[number]
    beside = [*told[max(0, number - 1) : number], *told[number + 1 : number + 2]]
    every = [here, *beside]
    return Purpose(
        points=here.points + _BESIDE * max((one.points for one in beside), default=0.0),
        locked=any(one.locked for one in every),
        asked=any(one.asked for one in every),
        named=any(one.named for one in every),
        served=any(one.served for one in every),
        coded=min((one.coded for one in every if one.coded is not None), default=None),
    )


def _made_up(read: Prose, first: int, last: int, purpose: Purpose) -> Iterator[Finding]:
    """The value of a sentence that looks most like a secret, if enough is told, and those alike.

    A second one is another part of it, or what it was before.
    """
    found = [one for one in _scored(read, first, last) if purpose.takes(one)]
    best = max(found, key=lambda one: one.points, default=None)
    if best is None or best.points + purpose.points < _ENOUGH:
        return
    for one in found:
        code_alike = one.is_code and best.is_code and one.digits == best.digits
        if code_alike or one.points >= best.points:
            yield Finding(one.start, one.end, one.kind)


def _scored(read: Prose, first: int, last: int) -> Iterator[ScoredValue]:
    """The values of a sentence whose look is worth something."""
    words = read.seen.words
    start, end = words.starts[first], words.ends[last - 1]
    for place in _places(read.view.text, start, end + _BEHIND):
        for value in values(read.view.text, *place):
            one = scored(read, value) if value.start < end else None
            if one and (one.is_code or one.is_formed or not _is_login(read, value)):
                yield one


def _is_login(read: Prose, value: Value) -> bool:
    """Whether it is what somebody logs in as: the last word behind a name of that.

    Behind a sign, or before what it is good for, it may be either.
    """
    start = read.words(value.start, value.end).start
    return CLAUSE_END.match(read.view.text, value.end) is not None and any(
        hit.end <= start and tie(read, read.span(hit)[1], value) in (Tie.NEXT, Tie.LINK)
        for hit in read.seen.found("secrets.login")
    )


def _dialled(read: Prose, first: int, last: int, purpose: Purpose) -> Iterator[Finding]:
    """The numbers of a dial: three or four of two digits, as "right to 14, left to 62 ..."."""
    words = read.seen.words
    if not purpose.locked or purpose.points < _DIAL:
        return
    numbers = [i for i in range(first, last) if _SMALL.fullmatch(words.raw[i])]
    if len(numbers) not in _TURNS or any(read.is_counted(words.ends[i]) for i in numbers):
        return
    apart = [words.starts[b] - words.ends[a] for a, b in pairwise(numbers)]
    if max(apart) <= _NEXT_TURN and not any(b == a + 1 for a, b in pairwise(numbers)):
        yield from (Finding(words.starts[i], words.ends[i], "code") for i in numbers)


def _places(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where values may stand; words side by side are one place, as "4 4 0 9" is one value."""
    first = last = -1
    for word in _WORDS.finditer(text, start, end):
        if not _MADE_UP.search(text, word.start(), word.end()):
            continue
        if first >= 0 and word.start() > last + 1:
            yield first, last
            first = -1
        first = word.start() if first < 0 else first
        last = word.end()
    if first >= 0:
        yield first, last


def _spoken(read: Prose, first: int, last: int, purpose: Purpose) -> Iterator[Finding]:
    """Digits in words: "four four zero nine"."""
    words = read.seen.words
    for start, end, count in number_words(read, first, last):
        repeats = len(set(words.folded[start:end])) < count
        enough = _ENOUGH - _REPEATED if repeats else _ENOUGH
        if count >= _FEWEST_WORDS and count + purpose.points >= enough:
            first_word, behind = read.with_keys(start, end)
            yield Finding(words.starts[first_word], words.ends[behind - 1], "code")


_MOST_DIGITS = 16
_DOT = "・"
"""Between Japanese numerals."""
_GLYPHS = regex.compile(r"(?<!\p{Han} )\p{Han}(?: \p{Han}){11,23}+")
_COLONS = (":", "：")
_SEEDS = frozenset({12, 15, 18, 21, 24})
"""Words of a recovery phrase (BIP 39)."""


def seeds(read: Prose) -> Iterator[tuple[int, int]]:
    """Recovery phrases that nothing names: twelve or more words behind a colon that say nothing."""
    for found in _GLYPHS.finditer(read.view.text) if not read.view.text.isascii() else ():
        yield found.span()
    words = read.seen.words
    starts = sorted({*words.clause_starts, len(words.raw)})
    for first, last in pairwise(starts):
        if last - first in _SEEDS and _is_seed(read, first, last):
            yield words.starts[first], words.ends[last - 1]


def _is_seed(read: Prose, first: int, last: int) -> bool:
    """Whether these words are all different, in lower case, apart, and none of a grammar."""
    words = read.seen.words
    raw = words.raw[first:last]
    start = words.starts[first]
    if not read.view.text[max(0, start - 3) : start].rstrip().endswith(_COLONS):
        return False
    if len(set(raw)) < len(raw) - 1:
        return False
    if not all(word.isalpha() and word == word.lower() for word in raw):
        return False
    between = zip(words.ends[first : last - 1], words.starts[first + 1 : last], strict=True)
    if not all(read.view.text[end:start].isspace() for end, start in between):
        return False
    if read.spoken <= {ANY}:  # nobody knows the words of its grammar
        return False
    return len(read.joins.intersection(range(first, last))) <= 1


def number_words(read: Prose, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Runs of words for numbers between two words: where each begins and ends, and its length.

    Function words may stand between two of them ("four times the eight"). A word of digits that are
    written together counts as many.
    """
    known = read.digits
    clauses = read.seen.words.clause_starts
    at = first
    while at < last:
        joined = digits_in(read.seen.words.folded[at])
        if at not in known and not joined:
            at += 1
            continue
        end, count = at + 1, joined or 1
        for word in range(at + 1, min(last, at + _MOST_DIGITS)):
            if word in known:
                end, count = word + 1, count + 1
            elif read.seen.words.raw[word] == _DOT:
                continue
            elif word not in read.joins or word > end or word in clauses:
                break
        yield at, end, count
        at = end
