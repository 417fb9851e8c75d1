"""Finds payment cards and bank accounts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ..findings import Finding
from .checksums import IBAN_LENGTHS, iban, luhn
from .view import View

_RUN = regex.compile(r"(?<!\d)\d{3,}+(?:[ .\u00b7/_-]{1,2}\d{3,}+)*+")
_BRANDS = regex.compile(
    # issuer ranges and lengths that need no context (ISO/IEC 7812, the schemes)
    r"4\d{15}|5[1-5]\d{14}|222[1-9]\d{12}|22[3-9]\d{13}|2[3-6]\d{14}|27[01]\d{13}|2720\d{12}"
    r"|3[47]\d{13}|6011\d{12}|64[4-9]\d{13}|65\d{14}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14}"
    r"|220[0-4]\d{12}|3(?:0[0-5]|[689]\d)\d{11}|8[12]\d{14}|60\d{14}|508\d{13}"
)
_RARE = regex.compile(r"4\d{12}|4\d{18}|(?:5[0678]|6\d)\d{10,17}|62\d{14,17}|9792\d{12}")
_SHORTEST = 12
_IBAN = regex.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ ./\u00b7-]{0,2}[A-Za-z0-9]){11,40}+")
_COUNTRY = regex.compile(r"\d\d(?<=[A-Za-z]{2}\d\d)")
_PLAIN = regex.compile(r"[^A-Za-z0-9]")
_SIZES = {
    "2": (16,), "3": (16, 15, 14), "4": (16, 13, 19), "5": (16, 19, 18, 17, 15, 14, 13, 12),
    "6": (16, 19, 18, 17, 15, 14, 13, 12), "8": (16,), "9": (16,),
}  # fmt: skip
"""Lengths by a card's first digit, the usual one first."""


@dataclass(frozen=True, slots=True)
class CardNumber:
    """Digits that pass as a card; `sure` if no word beside them is needed."""

    start: int
    end: int
    sure: bool


def card_numbers(view: View) -> Iterator[CardNumber]:
    """Numbers of 12 to 19 digits with a scheme's prefix that pass Luhn."""
    for run in _RUN.finditer(view.text):
        if run.end() - run.start() >= _SHORTEST:
            yield from _cards(view, run.start(), run.end())


def _cards(view: View, start: int, end: int) -> Iterator[CardNumber]:
    """Cards in a run of digits and separators: the whole run, or pieces between separators."""
    text = view.text
    places = [i for i in range(start, end) if text[i].isdigit()]
    digits = "".join([text[i] for i in places])
    at = 0
    while at + _SHORTEST <= len(places):
        card = _card_at(view, places, digits, at)
        if card:
            yield card
            at = bisect_left(places, card.end)
        at = _next_piece(places, at if card else at + 1)


def _next_piece(places: list[int], at: int) -> int:
    """The first digit from `at` on that follows a separator."""
    while 0 < at < len(places) and places[at] == places[at - 1] + 1:
        at += 1
    return at


def _card_at(view: View, places: list[int], digits: str, at: int) -> CardNumber | None:
    """The card that begins at the digit `at`."""
    for size in _SIZES.get(digits[at], ()):
        stop = at + size
        if stop > len(places) or not luhn(digits[at:stop]):
            continue
        start, end = places[at], places[stop - 1] + 1
        if stop < len(places) and places[stop] == end:
            continue
        sure = _BRANDS.fullmatch(digits, at, stop) is not None
        rare = _RARE.fullmatch(digits, at, stop) is not None
        if (sure or rare) and not (
            len(set(digits[at:stop])) == 1 or _is_part(view.text, start, end)
        ):
            return CardNumber(start, end, sure)
    return None


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether the digits are a part of a decimal, an identifier or a hexadecimal number."""
    head, tail = text[max(0, start - 2) : start], text[end : end + 2]
    glued = head[-1:].isalpha() and head[-1:].isascii() and head[-2:].lower() not in ("\\n", "\\t")
    decimal = len(head) > 1 and head[1] in ".," and head[0].isdigit()
    return glued or decimal or (tail[:1].isalpha() and tail[:1].isascii())


def find_ibans(view: View) -> Iterator[Finding]:
    """Accounts with their country's length that are 1 modulo 97: kind `iban`."""
    if not _COUNTRY.search(view.text):
        return
    for match in _IBAN.finditer(view.text, overlapped=True):
        country = match.group()[:2].upper()
        size = IBAN_LENGTHS.get(country)
        end = _end_of(view.text, match.start(), match.end(), size) if size else None
        if end and iban(_PLAIN.sub("", view.text[match.start() : end]).upper()):
            yield Finding(match.start(), end, "iban")


def _end_of(text: str, start: int, end: int, size: int) -> int | None:
    """The end of the `size`-th letter or digit; None if another one follows directly."""
    places = [i for i in range(start, end) if text[i].isascii() and text[i].isalnum()]
    if len(places) < size:
        return None
    stop = places[size - 1] + 1
    return None if text[stop : stop + 1].isalnum() and text[stop].isascii() else stop
