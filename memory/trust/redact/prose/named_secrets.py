# ruff: noqa: RUF001
"""Finds what stands behind the name of a secret: "PIN: 4821", "the passphrase is moss tractor"."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import regex

from ..formats.shapes import REMOVED, Shape, is_digest
from ..formats.view import Finding
from .password_shape import Value, values
from .terms import Prose

_KINDS = {"phrase": "phrase", "password": "password", "code": "code", "key": "api_key"}
_FIELDS = {f"secrets.{name}": kind for name, kind in _KINDS.items()}
_OPENING = " \r\n\"'`*([{<«“„‘「『【《"
_SIGNS = (":", "=", "->", "=>", "→", "⇒", "—>", "|", "--", " —", " –", " -", "：", "＝")
_TAG = ">"
_QUOTES = "\"'`«“„‘「『【《"
_CHAIN = regex.compile(r"[ \"'`*-]*[,;/|、，\n][\s\"'`*\d.)•-]*")
"""What stands between the values of a list."""
CLAUSE_END = regex.compile(r"[,.;!?\n\"”“»」』】)،。，；！？।؟]|\s[-–—]\s|\s\(|\s*\Z")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_REACH, _WORDS, _LISTED = 60, 6, 600
"""Most characters and words between a name and its value, and characters of a list."""
_FEWEST, _FEWEST_NEXT, _MOST = 3, 4, 12
"""Digits of a code; more if nothing stands between it and its name."""
_WORD, _KEY = 4, 12
"""Fewest characters of a password that is a word, and of a key."""


class Tie(IntEnum):
    """The tie between a value and the name before it."""

    NONE = 0
    NEXT = 1
    """Nothing stands between."""
    LINK = 2
    """A word such as "is"."""
    SIGN = 3
    """A colon, a quotation mark and the like."""


def find_named(read: Prose) -> Iterator[Finding]:
    """Values of passwords, codes, keys and phrases that are called so."""
    hits = read.seen.found("secrets.other_things", *_FIELDS)
    done = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.field in _FIELDS)):
        if hit.start < done:
            continue
        done, end = hit.end, read.span(hit)[1]
        invented = read.sentence_of(hit.start) in read.invented
        if hit.field in _FIELDS and not invented:
            yield from _behind(read, end, _FIELDS[hit.field])


def _behind(read: Prose, end: int, kind: str) -> Iterator[Finding]:
    """The value behind a name that ends here, and more of a list."""
    text, last = read.view.text, None
    for value in values(text, end, end + _LISTED):
        if last is not None and not _CHAIN.fullmatch(text, last, value.start):
            return
        tied = Tie.SIGN if last is not None else tie(read, end, value)
        if tied is None or (last is not None and value.shape is Shape.WORD):
            return
        told = tied and _told(read, kind, value, tied)
        if told:
            yield Finding(value.start, told, kind)
            last = told
        elif last is not None:
            return


def tie(read: Prose, end: int, value: Value) -> Tie | None:
    """The tie between a name that ends here and a value; None if they are too far apart."""
    between = read.view.text[end : value.start]
    inside = read.words(end, value.start)
    tail = between.rstrip(_OPENING)
    if (
        REMOVED in between
        or len(between) > _REACH
        or len(inside) > _WORDS
        or read.ends_sentence(end, end + len(tail))
    ):
        return None
    if (
        tail.endswith(_SIGNS)
        or between == _TAG
        or (not tail and any(sign in between for sign in _QUOTES))
    ):
        return Tie.SIGN
    if not tail:
        return Tie.NEXT
    linked = [word for word in inside[-2:] if word in read.links]
    joined = linked and all(word in read.joins for word in inside if word > linked[-1])
    return Tie.LINK if joined else Tie.NONE


def _told(read: Prose, kind: str, value: Value, tie: Tie) -> int | None:
    """The end of what a name of this kind names, if it may be that."""
    if kind == "phrase" and not value.quoted:
        return phrase(read, value.start)
    if kind == "api_key":
        taken = _is_key(value)
    elif value.quoted and value.shape is Shape.WORD:
        taken = kind != "code" and len(value.text) >= _WORD and tie > Tie.NEXT
    elif value.shape is Shape.NUMBER:
        taken = kind != "password" and _is_code(read, value, tie)
    elif value.shape is Shape.WORD:
        taken = kind == "password" and tie is Tie.SIGN and _is_word(read, value)
    else:
        taken = value.shape >= Shape.LIKELY and (tie > Tie.NEXT or value.digits > 0)
    return value.end if taken else None


def _is_key(value: Value) -> bool:
    drawn = value.shape >= Shape.LIKELY or (is_digest(value.text) and value.digits > 0)
    return drawn and len(value.text) >= _KEY


def _is_code(read: Prose, value: Value, tie: Tie) -> bool:
    """Digits that are neither a count nor, without a sign, a year."""
    fewest = _FEWEST_NEXT if tie is Tie.NEXT else _FEWEST
    if not fewest <= value.digits <= _MOST or read.is_counted(value.end):
        return False
    return tie is Tie.SIGN or not _YEAR.fullmatch(value.text)


def _is_word(read: Prose, value: Value) -> bool:
    """A word of its own at the end of its clause, and no function word."""
    inside = read.words(value.start, value.end)
    if len(value.text) < _WORD or not read.joins.isdisjoint(inside):
        return False
    return CLAUSE_END.match(read.view.text, value.end) is not None


_LETTERS = r"[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,20})?+"
_RUN = regex.compile(rf"{_LETTERS}(?:\ {{1,2}}{_LETTERS}){{2,29}}+")
_NUMBER = r"(?:\(?\d{1,2}[.):]?\s{0,3})?+"
_LIST = regex.compile(
    rf"{_NUMBER}[^\W\d_]{{1,14}}(?:[\s,;|]{{1,4}}{_NUMBER}[^\W\d_]{{1,14}}){{5,23}}+"
)
_FUNCTION = 0.34
"""Most function words in a phrase that is named one, as a share."""


def phrase(read: Prose, start: int) -> int | None:
    """The end of three or more words, few of them function words; None without them.

    Words of a list may have commas and numbers.
    """
    listed = _LIST.match(read.view.text, start)
    match = listed or _RUN.match(read.view.text, start)
    if match is None:
        return None
    words = read.words(start, match.end())
    said = [word for word in words if word in read.joins and word not in read.digits]
    if len(said) > len(words) * _FUNCTION or words.start in said:
        return None
    return match.end()
