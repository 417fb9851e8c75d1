"""Finds personal data: email, phone, postal address, birth date, identity numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain

from ....language.vocabulary import Hit
from ....util import lazy_regex as regex
from ..formats.numbers import KIND, find_identity
from ..formats.view import Finding, View, near, settle
from .terms import Prose, prose_of

_LOCAL = 64
_PHONE = regex.compile(
    r"(?<![A-Za-z0-9_.,:/-])(?:\+|00|\(|\d)(?:[ ()./-]{0,3}\d){6,14}+"
    r"(?![A-Za-z0-9_]|[.,:-]\d|[ -]\d)"
)
_FEW, _MANY = 7, 15
"""Digits of a telephone number."""
_PHONE_REACH, _OTHER_REACH = 50, 30
_NATIONAL = regex.compile(
    r"\(\d{2,4}\) ?\d{3,5}[- ]\d{3,4}|\d{3}[-. ]\d{3}[-. ]\d{4}|0\d(?:[ .]\d{2}){4}"
    r"|0\d{1,4}[-/ ]\d{3,8}(?:[- ]\d{2,5})?"
)
_DATE = regex.compile(
    r"(?<!\d)(?:\d{4}[-/.\p{Han}]\d{1,2}[-/.\p{Han}]\d{1,2}\p{Han}?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}\p{Han}\d{1,2}\p{Han})(?!\d)"
)
_BIRTH_REACH = 40
_NAMED = regex.compile(
    # the month is a word: "14 March 1988", "14 de marzo de 1988", "March 14, 1988"
    r"(?<!\d)(?:\d{1,2}(?:[\p{L}\p{M}]{1,2}|[.º])?\s(?:\p{L}{1,3}\s)?[\p{L}\p{M}]{3,12}+\.?"
    r"(?:,?\s(?:\p{L}{1,3}\s)?\d{4})?|\p{Lu}[\p{L}\p{M}]{2,11}+\.?\s\d{1,2}(?:\p{L}{2})?(?:,?\s\d{4})?)"
    r"(?!\d)"
)
_HOUSE = regex.compile(r"\d{1,5}[a-zA-Z]?")
_STREET_WORDS = 4
"""Most words of a street's name."""
_TOWN = regex.compile(r",?\s(?:[A-Z]{1,2}-)?\d{4,5}\s[\p{L}.-]{2,40}")
_GLYPHS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]{0,16}")
_BREAK = regex.compile(r"[.;:!?\n](?=\s)|\n")
_BEFORE_AT = regex.compile(r"[\w.+%'-]*+(?<![.'-])|")
_AFTER_AT = regex.compile(r"@(?:[\w-]{1,63}+\.){1,8}+[\w-]{2,24}+")


def personal_of(seen: View, kinds: Collection[str]) -> list[Finding]:
    """Personal data of the given `kinds` (as in `PersonalOptions`), sorted, without overlaps.

    Raises `KeyError` for an unknown kind.
    """
    read = prose_of(seen)
    finders = [_FINDERS[kind] for kind in sorted(kinds)]  # of two for the same place the first
    return settle(seen.back(found) for find in finders for found in find(read))


def _emails(read: Prose) -> Iterator[Finding]:
    text = read.view.text
    at = text.find("@")
    while at >= 0:
        local = _BEFORE_AT.match(text[max(0, at - _LOCAL) : at][::-1])
        start = at - (local.end() if local else 0)
        after = _AFTER_AT.match(text, at)
        if start < at and after:
            yield Finding(start, after.end(), "email")
        at = text.find("@", after.end() if after else at + 1)


def _phones(read: Prose) -> Iterator[Finding]:
    for match in _PHONE.finditer(read.view.text):
        number, start = match.group(), match.start()
        said = not read.phones.isdisjoint(read.words(max(0, start - _PHONE_REACH), start))
        near = read.words(max(0, start - _OTHER_REACH), start)
        if not _FEW <= sum(map(str.isdigit, number)) <= _MANY:
            continue
        if not said and not read.other_numbers.isdisjoint(near):
            continue
        if said or number.startswith(("+", "00")) or _NATIONAL.fullmatch(number):
            yield Finding(*match.span(), "phone")


def _addresses(read: Prose) -> Iterator[Finding]:
    words, text = read.seen.words, read.view.text
    for hit in read.beside.found("secrets.street"):
        number = _house(read, hit.start, hit.end)
        if number is None:
            continue
        start, end = read.span(hit)
        start = min(start, words.starts[number])
        end = max(end, words.ends[number])
        if number == hit.start - 1:
            end = words.ends[min(hit.end + _STREET_WORDS, len(words.raw)) - 1]
            stop = _BREAK.search(text, words.ends[hit.end - 1], end)
            end = stop.start() if stop else end
        town = _TOWN.match(text, end)
        before = _GLYPHS.match(text[max(0, start - 16) : start][::-1])
        start -= before.end() if before else 0
        yield Finding(start, town.end() if town else end, "address")


def _house(read: Prose, start: int, end: int) -> int | None:
    """The index of the house's number: behind the street, or before its name."""
    words = read.seen.words
    after = range(end, min(end + _STREET_WORDS, len(words.raw)))
    before = range(start - 1, max(start - 1 - _STREET_WORDS, -1), -1)
    for i in chain(before, after):
        gap = (words.ends[i], words.starts[start]) if i < start else (words.ends[end - 1],
                                                                      words.starts[i])  # fmt: skip
        if _BREAK.search(read.view.text, *gap):
            continue
        if _HOUSE.fullmatch(words.raw[i]):
            return i
    return None


def _birth_dates(read: Prose) -> Iterator[Finding]:
    text, done = read.view.text, 0
    for hit in read.seen.found("secrets.born"):
        start, end = read.span(hit)
        stop = end + _BIRTH_REACH
        match = _DATE.search(text, max(done, start), stop) or _NAMED.search(
            text, max(done, end), stop
        )
        if match:
            yield Finding(*match.span(), "birth_date")
            done = match.end()


def _identity(read: Prose) -> Iterator[Finding]:
    return chain(find_identity(read.view), find_documents(read))


_FINDERS: dict[str, Callable[[Prose], Iterator[Finding]]] = {
    "national_id": _identity,
    "email": _emails,
    "phone": _phones,
    "address": _addresses,
    "birth_date": _birth_dates,
}


_VALUE = regex.compile(
    r"(?<![A-Za-z0-9_'\u2019+$€£¥-])(?:(?:[A-Z]{1,4}[ -]?|[a-z]{1,3})?\d[\dA-Za-z]*"
    r"(?:[ ./-][\dA-Za-z]*\d[\dA-Za-z]*){0,6}|[A-Z\d]{8,10})(?![A-Za-z0-9_]|[:,]\d)"
)
_MIXED = regex.compile(r"(?=(?:[A-Z]*\d){3})(?=(?:\d*[A-Z]){2})[A-Z\d]{8,10}")
"""Letters among the digits, as in the numbers of German documents."""
_DOCUMENT_DATE = regex.compile(
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
        date = _DOCUMENT_DATE.match(text, value.start(), value.end())
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
