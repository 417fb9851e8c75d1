# ruff: noqa: RUF001 - characters of many scripts
"""Decides whether a word near the name of a secret is its value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import regex

from ..formats.placeholders import is_placeholder
from ..formats.shapes import Shape, is_digest
from .names import Secret
from .prose import Prose
from .values import Value

_OPENING = " \n\r\"'`*([{<«“„_「『‘（【《"
_SIGNS = (":", "=", "->", "=>", "→", "⇒", "—>", "|", " -", " --", " —", " –", "\t", "：", "＝")
_ASKED = ("?", "？", "؟")
_LABEL = regex.compile(r"\n[^\n]*?\w\w")
"""Another line with words of its own."""
_CLAUSE_END = regex.compile(r"[,.;!?\n\"”“»)،。，；！？।؟]|\s[-–—]\s|\s\(|\s*\Z")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_NEAR = 60
"""Characters between a name and a value that it may still name without a link."""
_FEWEST, _MOST = 4, 12
"""Digits of a code."""
_MIN_KEY, _WIDE_KEY = 8, 12
_DIGEST = 16
_ASIDE = 2
_BRIEF = 4
"""Letters of a short name."""


class Tie(IntEnum):
    """How a value is tied to the name before it."""

    NONE = 0
    NEXT = 1
    """Nothing stands between."""
    INTO = 2
    """As by "to"."""
    LINK = 3
    """As by "is"."""
    SIGN = 4
    """A colon and the like."""


@dataclass(frozen=True, slots=True)
class Bond:
    """What lies between a name and a value."""

    tie: Tie
    crossed: bool
    """A sentence ends between them."""
    ruled: bool
    """A rule or an example is told between them."""
    distance: int
    """In characters."""
    brief: bool
    """The name is a short word, which may be another one: "pass", "key"."""
    foreign: bool
    """The name is in another script than the Latin one."""


def bond(read: Prose, start: int, end: int) -> Bond:
    """The bond between a name that ends at `start` and a value that begins at `end`."""
    between = read.view.text[start:end]
    tail = between.rstrip(_OPENING)
    inside = read.words(start, end)
    crossed = read.ends_sentence(start, start + len(tail)) or bool(_LABEL.search(between))
    if tail.endswith(_ASKED) and "\n" not in between:
        crossed = read.ends_sentence(start, start + len(tail) - 1)
    ruled = not read.rules.isdisjoint(_after_aside(read, inside, between, start))
    name = read.view.text[max(0, start - _BRIEF - 1) : start]
    brief = name.isascii() and not name.isalpha()
    tie = _tie(read, between, tail, inside)
    return Bond(tie, crossed, ruled, end - start, brief, not name[-1:].isascii())


def _after_aside(read: Prose, inside: range, between: str, start: int) -> range:
    """Words behind an aside between two commas."""
    if between.count(",") != _ASIDE:
        return inside
    return read.words(start + between.rindex(","), start + len(between))


def _tie(read: Prose, between: str, tail: str, inside: range) -> Tie:
    opened = between[len(tail) :].strip() and not tail
    if opened or tail.endswith(_SIGNS):
        return Tie.SIGN
    if not tail:
        return Tie.NEXT
    last = inside.stop - 1
    while last > inside.start and last in read.fillers and last not in read.links:
        last -= 1
    if last not in inside:
        return Tie.NONE
    if last in read.links:
        return Tie.LINK
    return Tie.INTO if last in read.into else Tie.NONE


def is_told(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    """Whether `value` is what a name of `kinds` names."""
    if (how.ruled and how.tie is not Tie.SIGN) or is_placeholder(value.text):
        return False
    if value.quoted and _is_quoted(read, kinds, value, how):
        return True
    if how.brief and how.tie is Tie.NONE and not kinds & {Secret.CODE, Secret.PHRASE}:
        return False
    match value.shape:
        case Shape.NUMBER:
            return _is_code(read, kinds, value, how)
        case Shape.WORD:
            return _is_word(read, kinds, value, how)
        case Shape.NONE:
            return _is_digest(read, kinds, value, how)
    return _is_mixture(read, kinds, value, how)


def _is_digest(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    """Hexadecimal digits that are called a key, and neither a hash nor an identifier."""
    named = Secret.KEY in kinds and how.tie > Tie.NONE and not _is_other(read, value.start)
    return named and is_digest(value.text) and len(value.text) >= _DIGEST


def _is_mixture(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    """Letters with digits or signs."""
    linked = how.tie >= Tie.INTO
    if kinds & {Secret.PASSWORD, Secret.CODE, Secret.PHRASE}:
        if value.shape is Shape.LIKELY:
            digits = how.tie is Tie.NEXT and value.digits > 0
            return (linked and not how.crossed) or digits
        return how.tie is Tie.SIGN or not how.crossed or (linked and how.distance <= _NEAR)
    if Secret.KEY not in kinds or _is_other(read, value.start):
        return False
    enough = len(value.text) >= (_MIN_KEY if linked else _WIDE_KEY) and not how.crossed
    return enough or value.shape is Shape.RANDOM


def _is_quoted(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    inside = read.words(value.start, value.end)
    if not kinds & {Secret.PASSWORD, Secret.CODE, Secret.PHRASE} or read.states.issuperset(inside):
        return False
    if value.shape is Shape.NUMBER and value.digits < _FEWEST - 1:
        return False
    tied = how.tie > Tie.NONE and not how.crossed
    return tied or (value.shape >= Shape.LIKELY and how.distance < _NEAR)


def _is_code(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    """Digits, unless they are a count, another thing's number, a year or a time."""
    linked = how.tie >= Tie.INTO
    if not _FEWEST - (how.tie > Tie.NONE) <= value.digits <= _MOST * 2 or read.is_counted(
        value.end
    ):
        return False
    if not linked and (how.crossed or _is_other(read, value.start) or _YEAR.fullmatch(value.text)):
        return False
    if how.tie <= Tie.INTO and _YEAR.fullmatch(value.text) and _is_other(read, value.start):
        return False
    if Secret.CODE in kinds:
        return how.distance <= _NEAR
    if Secret.PASSWORD in kinds:
        return (linked and not how.crossed) or how.tie is Tie.NEXT
    return Secret.KEY in kinds and how.tie is Tie.SIGN and value.digits >= _MIN_KEY


def _is_other(read: Prose, start: int) -> bool:
    """Whether the word before says what the number or value is: "room 4021"."""
    before = read.words(0, start)
    return before.stop > 0 and before.stop - 1 in read.other_numbers


def _is_word(read: Prose, kinds: frozenset[Secret], value: Value, how: Bond) -> bool:
    """A plain word after "is" or a colon, at the end of its clause."""
    if how.foreign and value.text.isascii() and how.tie is Tie.NEXT:
        joined = "-" in value.text and Secret.PASSWORD in kinds
        return joined or (Secret.KEY in kinds and len(value.text) >= _WIDE_KEY)
    if not kinds & {Secret.PASSWORD, Secret.PHRASE}:
        return False
    if how.tie < Tie.LINK or how.crossed or len(value.text) < _FEWEST - (how.tie is Tie.SIGN):
        return False
    inside = read.words(value.start, value.end)
    if not inside or not read.states.isdisjoint(inside):
        return False
    if how.tie is Tie.LINK and not _has_case(value.text):
        return False
    return _CLAUSE_END.match(read.view.text, value.end) is not None


def _has_case(word: str) -> bool:
    """In scripts without case a word mostly describes the password."""
    return word.lower() != word.upper()
