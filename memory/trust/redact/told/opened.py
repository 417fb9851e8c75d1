"""Finds values that open something although nothing names them: "the laptop opens with ...".

A value is taken if it looks like a secret and its sentence, or one beside it, tells of getting in.
The less it looks like one, the more must be told: both give points, and `_ENOUGH` of them decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ....language.vocabulary import Hit
from ..findings import Finding
from .crafted import Crafted, crafted
from .prose import Prose
from .runs import number_words, seeds
from .values import values

_ENOUGH = 4.5
"""At 4 points 7 more of 381 secrets would be found and 3 more of 377 decoys touched; at 5, 16 fewer
and none (docs/security.md)."""
_NAMES = tuple(f"secrets.{name}" for name in ("password", "code", "key", "phrase", "login"))
_TOLD = (
    (2.0, _NAMES),
    (2.0, ("secrets.opens",)),
    (1.5, ("secrets.service",)),
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
    """What a sentence tells of getting in."""

    points: float = 0.0
    locked: bool = False
    """Whether something is named that a code opens, or a key beside digits."""
    asked: bool = False
    """Whether a code is named, or how it is put in: the number of a locker opens nothing."""
    coded: int | None = None
    """Where something is named that nothing but a code opens."""

    def takes(self, one: Crafted) -> bool:
        """Whether a value may be a code of it, as far as what it is goes."""
        if not one.plain:
            return True
        alone = self.coded is not None and self.coded < one.start and one.digits >= _TELLING
        return self.locked and (self.asked or alone)


def find_opened(read: Prose) -> Iterator[Finding]:
    """Values that open something: passwords and codes."""
    yield from (Finding(*span, "phrase") for span in seeds(read))
    told = _told(read)
    alone = not read.is_latin or _APART.search(read.view.text) is not None or read.has_numerals
    for number, (first, last) in enumerate(read.seen.words.sentences):
        purpose = _near(told, number)
        if number in read.invented or not (purpose.points or alone):
            continue
        yield from _taken(read, first, last, purpose)


def _told(read: Prose) -> Sequence[Purpose]:
    """What each sentence tells."""
    points = [0.0] * len(read.ends)
    section = read.seen.section("secrets")
    if section.keys().isdisjoint(_CUES):
        return [Purpose()] * len(read.ends)
    # A function word opens nothing, whatever it means in another language.
    others = read.seen.covered("secrets.other_things") | {
        hit.start for hit in section.get("secrets.opens", ()) if read.is_function_word(hit)
    }
    for worth, names in _TOLD:
        for number in {read.sentence_of(hit.start) for hit in _hits(section, names, others)}:
            points[number] += worth
    locked = {read.sentence_of(hit.start) for hit in _hits(section, _LOCKED, others)}
    asked = {read.sentence_of(hit.start) for hit in _hits(section, _ASKED, others)}
    coded: dict[int, int] = {}
    for hit in _hits(section, ("secrets.coded",), others):
        coded.setdefault(read.sentence_of(hit.start), read.span(hit)[0])
    return [Purpose(p, i in locked, i in asked, coded.get(i)) for i, p in enumerate(points)]


def _hits(
    section: Mapping[str, Sequence[Hit]], names: Sequence[str], others: Collection[int]
) -> Iterator[Hit]:
    """The hits of these fields outside the names of other things."""
    return (hit for name in names for hit in section.get(name, ()) if hit.start not in others)


def _near(told: Sequence[Purpose], number: int) -> Purpose:
    """What a sentence tells together with those beside it."""
    here = told[number]
    beside = [*told[max(0, number - 1) : number], *told[number + 1 : number + 2]]
    more = max((one.points for one in beside), default=0.0)
    return replace(
        here,
        points=here.points + _BESIDE * more,
        locked=here.locked or any(one.locked for one in beside),
        asked=here.asked or any(one.asked for one in beside),
        coded=min((one.coded for one in (here, *beside) if one.coded is not None), default=None),
    )


def _taken(read: Prose, first: int, last: int, purpose: Purpose) -> list[Finding]:
    """The values of a sentence."""
    words = read.seen.words
    start, end = words.starts[first], words.ends[last - 1]
    text = read.view.text
    found = [
        one
        for place in _places(text, start, end + _BEHIND)
        for value in values(text, *place)
        if value.start < end and (one := crafted(read, value)) is not None
        if purpose.takes(one)
    ]
    best = max(found, key=lambda one: one.points, default=None)
    if best is None or best.points + purpose.points < _ENOUGH:
        found = []
    # A second one is another part of it, or what it was before.
    alike = [one for one in found if best is not None and _is_alike(one, best)]
    spoken = [*_spoken(read, first, last, purpose), *_dialled(read, first, last, purpose)]
    return [*(Finding(one.start, one.end, one.kind) for one in alike), *spoken]


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


def _is_alike(one: Crafted, best: Crafted) -> bool:
    return one.points >= best.points or (one.is_code and best.is_code and one.digits == best.digits)


def _spoken(read: Prose, first: int, last: int, purpose: Purpose) -> Iterator[Finding]:
    words = read.seen.words
    if not read.has_numerals:
        return
    for start, end, count in number_words(read, first, last):
        # Nobody who counts says a number twice.
        again = _REPEATED * (len(set(words.folded[start:end])) < count)
        if count >= _FEWEST_WORDS and count + purpose.points + again >= _ENOUGH:
            first_word, behind = read.with_keys(start, end)
            yield Finding(words.starts[first_word], words.ends[behind - 1], "code")
