"""Finds payment cards: by their digits, and by the words beside them if those say more."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ..formats.numbers import card_numbers, luhn
from ..formats.view import Finding, near
from .terms import Prose

_BEFORE, _AFTER = 60, 40
_OTHER = 40
"""Characters before a number in which it may be called something else."""


_HALF = regex.compile(r"(?<!\d[ -]?)[2-6]\d{3}[ -]?\d{4}(?![ -]?\d)")
_OTHER_HALF = regex.compile(r"(?<!\d[ -]?)\d{4}[ -]?\d{4}(?![ -]?\d)")
_APART = 120
"""Most characters between the halves of a number."""
_EXPIRY = regex.compile(r"(?<![\d/])(?:0?[1-9]|1[0-2])\s?[/-]\s?(?:20)?\d\d(?![\d/-])")
_SOON = 24
"""Characters behind a number in which an expiry makes it a card."""
_GROUPED = regex.compile(
    r"(?<!\w)(?<!\d[ -])(?:\d{4}(?:[ -]\d{4}){3}|\d{4}[ -]\d{6}[ -]\d{5})(?![ -]?\w?\d)"
)
_CHECK = regex.compile(r"(?<![\d.,:/€$£-])(?<!\d\s)\d{3,4}(?![\d/%€$£]|[.,:]\d|\s?[-\d])")
_BEHIND = 120
"""Characters behind a card in which its expiry and its check digits are told."""


def find_cards(read: Prose) -> Iterator[Finding]:
    """Numbers of cards, with what is told of them: kind `credit_card`."""
    for number in (*_whole(read), *_called(read), *_halved(read)):
        yield number
        text, end = read.view.text, number.end + _BEHIND
        for part in (near(each, text, number.end, end) for each in (_EXPIRY, _CHECK)):
            if part and not read.is_counted(part.end()) and not _is_year(part.group()):
                yield Finding(*part.span(), "credit_card")


def _is_year(text: str) -> bool:
    return len(text) == len("2026") and text.startswith(("19", "20"))


def _halved(read: Prose) -> Iterator[Finding]:
    """A number that is told in two halves."""
    text = read.view.text
    for first in _HALF.finditer(text):
        second = near(_OTHER_HALF, text, first.end(), first.end() + _APART)
        if second is None:
            continue
        digits = "".join(filter(str.isdigit, first.group() + second.group()))
        if luhn(digits):
            yield Finding(*first.span(), "credit_card")
            yield Finding(*second.span(), "credit_card")


def _called(read: Prose) -> Iterator[Finding]:
    """Groups of digits that are called a card, whatever their check digit is."""
    for number in _GROUPED.finditer(read.view.text):
        before = read.words(max(0, number.start() - _OTHER), number.start())
        called = max(read.cards.intersection(before), default=-1)
        # One such word belongs to the name, as in "card number".
        if called >= 0 and read.other_numbers.isdisjoint(range(called + 2, before.stop)):
            yield Finding(*number.span(), "credit_card")


def _whole(read: Prose) -> Iterator[Finding]:
    for number in card_numbers(read.view):
        line = read.view.text.rfind("\n", max(0, number.start - _OTHER), number.start) + 1
        before = read.words(max(0, number.start - _BEFORE), number.start)
        close = read.words(max(line, number.start - _OTHER), number.start)
        after = read.words(number.end, number.end + _AFTER)
        called = not read.cards.isdisjoint(before)
        other = not read.other_numbers.isdisjoint(close) and not called
        grouped = number.sure and _GROUPED.fullmatch(read.view.text, number.start, number.end)
        expires = near(_EXPIRY, read.view.text, number.end, number.end + _SOON)
        if (
            grouped
            or expires
            or (not other and (number.sure or called or not read.cards.isdisjoint(after)))
        ):
            yield Finding(number.start, number.end, "credit_card")
