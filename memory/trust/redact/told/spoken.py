# ruff: noqa: RUF001 - characters of many scripts
"""Finds passwords, codes, keys and phrases that a sentence tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import regex

from ..findings import Finding
from ..formats.placeholders import REMOVED
from ..formats.shapes import Shape, shape
from .decide import Tie, bond, is_told
from .names import Name, Secret
from .prose import Prose
from .runs import digit_words, phrase
from .values import Value, values

KINDS = {
    Secret.PHRASE: "phrase",
    Secret.PASSWORD: "password",
    Secret.CODE: "code",
    Secret.KEY: "api_key",
    Secret.LOGIN: "password",
}
"""The kind of finding for each name. Of several names the first in this order decides."""
_REACH = {Secret.PHRASE: 320, Secret.CODE: 600}
_USUAL_REACH = 140
_BEFORE = 70
_CARRIED = 40
"""A name up to this distance before another one still counts: "PIN and password are ..."."""
_NEAR = 60
_WORDS_BEFORE = 4
"""Most words between a value and its name behind it."""
_CHAIN = regex.compile(r"[\s,;/|&+、，.\d)•*\-]*(?:\w{1,4}\s)?[\s、]*[\"'“„]?")
"""What lies between the values of a list: signs, "and"."""
_HALF = regex.compile(r"[/:]([^\s/:,;\"'`()|<>]{5,40})(?![/:\w])")
"""The other half of `admin/...`."""
_DIGITS = 4
_SHORT = 12
_PAUSE = regex.compile(r"[,;:.!?。、，]")


def find_told(read: Prose, names: Sequence[Name]) -> Iterator[Finding]:
    """Values of the names of secrets in a text."""
    carried: frozenset[Secret] = frozenset()
    before = 0
    for name, following in zip_longest(names, names[1:]):
        kinds = frozenset({name.kind})
        if name.start - before < _CARRIED:
            kinds |= carried
        stop = min(name.end + _REACH.get(name.kind, _USUAL_REACH), len(read.view.text))
        end = min(stop, following.start) if following else stop
        found = list(_after(read, kinds, name, end)) or list(_before(read, name, before))
        yield from found
        carried = frozenset() if found else kinds
        before = name.end


def _after(read: Prose, kinds: frozenset[Secret], name: Name, end: int) -> Iterator[Finding]:
    """Values between a name and `end`."""
    kind, last = next(KINDS[secret] for secret in KINDS if secret in kinds), 0
    half = _HALF.match(read.view.text, name.end) if Secret.LOGIN in kinds else None
    if half and shape(half[1]) >= (Shape.STRONG if "/" in half[0] else Shape.LIKELY):
        yield Finding(*half.span(1), "password")
        last = half.end()
    for value in values(read.view.text, name.end, end):
        if value.start < last:
            continue
        if last and _CHAIN.fullmatch(read.view.text, last, value.start) and _continues(value):
            told: int | None = value.end
        else:
            told = _told(read, kinds, name.end, value, again=last > 0)
        if told:
            yield Finding(value.start, told + (read.view.text[told : told + 1] == "!"), kind)
            last = told
            continue
        pair = _of_pair(read, kinds, name.end, value)
        if pair:
            yield pair
            last = pair.end


def _continues(value: Value) -> bool:
    """Whether a word can stand in a list of values."""
    return value.shape >= Shape.LIKELY or (value.shape is Shape.NUMBER and value.digits >= _DIGITS)


def _told(
    read: Prose, kinds: frozenset[Secret], start: int, value: Value, *, again: bool
) -> int | None:
    """The end of the value that begins with a word, or None."""
    how = bond(read, start, value.start)
    if how.crossed and (again or REMOVED in read.view.text[start : value.start]):
        return None
    named = Secret.PHRASE in kinds
    worded = named or (Secret.PASSWORD in kinds and how.tie is Tie.SIGN)
    if not how.crossed and not value.quoted and not (how.ruled and how.tie is not Tie.SIGN):
        run = digit_words(read, value.start) if kinds - {Secret.LOGIN, Secret.KEY} else None
        near = how.tie >= Tie.LINK or (named and how.tie is Tie.NEXT)
        if not run and near and kinds & {Secret.PASSWORD, Secret.PHRASE}:
            run = phrase(read, value.start, named=worded)
        if run:
            return run
    return value.end if is_told(read, kinds, value, how) else None


def _of_pair(read: Prose, kinds: frozenset[Secret], start: int, value: Value) -> Finding | None:
    """The second half of `user/password`, `user:password` or `user / password`."""
    if Secret.LOGIN not in kinds or "://" in value.text:
        return None
    for sign in "/:|":
        user, cut, half = value.text.partition(sign)
        if cut and user and half and shape(half) >= Shape.LIKELY and shape(user) < Shape.STRONG:
            return Finding(value.start + len(user) + 1, value.end, "password")
    between = read.view.text[start : value.start].rstrip(" \"'`*-")
    words = read.words(start, value.start)
    apart = between.endswith(("/", "|", ",", "\n")) or (
        len(words) > 0 and words.stop - 1 in read.joins
    )
    if apart and value.shape >= Shape.STRONG and value.start - start <= _NEAR:
        return Finding(value.start, value.end, "password")
    return None


def _before(read: Prose, name: Name, floor: int) -> Iterator[Finding]:
    """The value that stands before its name: "4711 is my PIN"."""
    text = read.view.text
    start = max(floor, name.start - _BEFORE)
    if start > floor:
        start = max(start, text.find(" ", start, name.start))
    for value in reversed(list(values(text, start, name.start))):
        if value.end > name.start or read.ends_sentence(value.end, name.start):
            continue
        if _may_precede(name.kind, value) and _leads_to(read, value, name):
            yield Finding(value.start, value.end, KINDS[name.kind])
            return


def _may_precede(kind: Secret, value: Value) -> bool:
    if kind is Secret.LOGIN:
        return False
    if kind is Secret.KEY:
        return value.shape >= Shape.STRONG and len(value.text) >= _SHORT
    numeric = value.shape is Shape.NUMBER and value.digits >= _DIGITS
    return numeric or value.shape >= Shape.LIKELY or (value.quoted and len(value.text) >= _DIGITS)


def _leads_to(read: Prose, value: Value, name: Name) -> bool:
    """Whether the words between a value and the name behind it make it the name's value."""
    between = read.words(value.end, name.start)
    if not read.rules.isdisjoint(between) or (
        read.words(0, value.start).stop - 1 in read.rules or read.is_counted(value.end)
    ):
        return False
    gap = read.view.text[value.end : name.start]
    if not gap.isascii() and len(gap) <= _SHORT and not _PAUSE.search(gap):
        return True
    if not between or len(between) > _WORDS_BEFORE + 1:
        return False
    linked = between[0] in read.links
    owned = (between[1:] if linked else between)[:1]
    if not owned:
        return True
    return (linked or value.shape >= Shape.STRONG) and owned[0] in read.owners
