"""Finds numbers of documents and persons by the name of the document before them."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ....language.vocabulary import Hit
from ..findings import Finding
from ..formats.gates import near
from ..formats.identity import KIND
from .prose import Prose

_VALUE = regex.compile(
    r"(?<![A-Za-z0-9_'\u2019+$€£¥-])(?:(?:[A-Z]{1,4}[ -]?|[a-z]{1,3})?\d[\dA-Za-z]*"
    r"(?:[ ./-][\dA-Za-z]*\d[\dA-Za-z]*){0,6}|[A-Z\d]{8,10})(?![A-Za-z0-9_]|[:,]\d)"
)
_MIXED = regex.compile(r"(?=(?:[A-Z]*\d){3})(?=(?:\d*[A-Z]){2})[A-Z\d]{8,10}")
"""Letters among the digits, as in the numbers of German documents."""
_DATE = regex.compile(
    r"(?:[A-Z]{2,4} )?(?:(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|[12]\d|3[01])[./-](?:\d{4}|\d\d)"
    r"|(?:19|20)\d\d[./-](?:0?[1-9]|1[0-2])(?:[./-](?:0?[1-9]|[12]\d|3[01]))?"
    r"|(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d|(?:19|20)\d\d(?:[ -](?:19|20)\d\d)?(?! ?\d)"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?![\d./-]*\d|[A-Za-z])"
)
"""A day, a month or a year, behind which more numbers may stand."""
_DASHED = regex.compile(
    r"(?<![A-Za-z0-9_-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|[.,]\d)"
)
"""The social security number of the United States as it is written most often."""
_FEWEST = 5
"""Digits of a number."""
_REACH = 50
_BEFORE = 40
_NEAR, _LONG = 4, 6
"""Words behind the name in which a number of so many digits is its own, whatever it is called."""
_ABBREVIATED = 8
"""Characters behind the name in which a full stop ends no sentence: "passport no. ..."."""


def find_documents(read: Prose) -> Iterator[Finding]:
    """Identity, passport, tax and insurance numbers: kind `national_id`."""
    done = 0
    for hit in read.seen.found("secrets.document"):
        end = read.span(hit)[1]
        found = _number(read, hit, max(done, end), end + _REACH)
        if found:
            yield found
            done = found.end
    for match in _DASHED.finditer(read.view.text):
        before = read.words(max(0, match.start() - _BEFORE), match.start())
        if read.other_numbers.isdisjoint(before):
            yield Finding(*match.span(), KIND)


def _number(read: Prose, hit: Hit, start: int, stop: int) -> Finding | None:
    """The first number between two places that is no date, count or other thing's number."""
    text, name = read.view.text, read.span(hit)[1]
    while value := near(_VALUE, text, start, stop):
        if read.ends_sentence(name + _ABBREVIATED, value.start()):
            return None
        date = _DATE.match(text, value.start(), value.end())
        if date is None and _is_number(read, hit, value):
            return Finding(*value.span(), KIND)
        start = date.end() if date else value.end()
    return None


def _is_number(read: Prose, hit: Hit, value: regex.Match[str]) -> bool:
    """Whether it has enough digits, counts nothing, and is called no other thing's number."""
    digits = sum(map(str.isdigit, value.group()))
    mixed = _MIXED.fullmatch(value.group()) is not None
    if (digits < _FEWEST and not mixed) or read.is_counted(value.end()):
        return False
    before = read.words(0, value.start()).stop - 1
    if before == hit.end or (before - hit.end < _NEAR and (mixed or digits >= _LONG)):
        return True
    return before not in read.other_numbers | read.phones
