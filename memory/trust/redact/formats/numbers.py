"""Finds numbers with check digits: payment cards, bank accounts, numbers that a state issues."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from ....util import lazy_regex as regex
from .view import Finding, View

_LETTERS = {chr(ord("A") + i): str(10 + i) for i in range(26)}

_IBANS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18
DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22
IL23 IQ23 IR26 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22
MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31
SD18 SE24 SI19 SK24 SM27 SN28 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""
"""Each country with the length of its numbers (the IBAN registry of SWIFT)."""
IBAN_LENGTHS = {each[:2]: int(each[2:]) for each in _IBANS.split()}


_DOUBLED = str.maketrans("0123456789", "0246813579")


def luhn(digits: str) -> bool:
    """ISO/IEC 7812, payment cards."""
    total = sum(map(int, digits[::-2])) + sum(map(int, digits[-2::-2].translate(_DOUBLED)))
    return total % 10 == 0


def iban(letters: str) -> bool:
    """ISO 13616, in capitals without spaces: the country's length, and 1 modulo 97."""
    if IBAN_LENGTHS.get(letters[:2]) != len(letters):
        return False
    turned = letters[4:] + letters[:4]
    return int("".join(_LETTERS.get(char, char) for char in turned)) % 97 == 1


def cpf(digits: str) -> bool:
    """Brazil's eleven digits."""
    if len(set(digits)) == 1:
        return False
    for size in (9, 10):
        total = sum(int(d) * (size + 1 - i) for i, d in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != int(digits[size]):
            return False
    return True


def resident_id(number: str) -> bool:
    """China's eighteen characters (GB 11643)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(d) * w for d, w in zip(number[:17], weights, strict=True))
    return "10X98765432"[total % 11] == number[17].upper()


def nir(number: str) -> bool:
    """France's fifteen digits; 2A and 2B (Corsica) are read as 19 and 18."""
    body = number[:13].upper().replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body) % 97 == int(number[13:])


def dni(number: str) -> bool:
    """Spain's number and its letter, also with the first letter X, Y or Z."""
    number = number.upper()
    digits = str("XYZ".index(number[0])) + number[1:-1] if number[0] in "XYZ" else number[:-1]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


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
    passes, at = _luhn_in(digits), 0
    while at + _SHORTEST <= len(places):
        card = _card_at(view, places, digits, at, passes)
        if card:
            yield card
            at = bisect_left(places, card.end)
        at = _next_piece(places, at if card else at + 1)


def _next_piece(places: list[int], at: int) -> int:
    """The first digit from `at` on that follows a separator."""
    while 0 < at < len(places) and places[at] == places[at - 1] + 1:
        at += 1
    return at


def _luhn_in(digits: str) -> Callable[[int, int], bool]:
    """Tells of a part of these digits whether it passes Luhn; of all parts of a long run at once.

    A part's sum is a difference of two sums from the beginning, with every other digit doubled.
    """
    doubled = digits.translate(_DOUBLED)
    first = list(accumulate(map(int, _alternating(digits, doubled)), initial=0))
    second = list(accumulate(map(int, _alternating(doubled, digits)), initial=0))

    def passes(at: int, stop: int) -> bool:
        sums = first if stop % 2 else second
        return (sums[stop] - sums[at]) % 10 == 0

    return passes


def _alternating(even: str, odd: str) -> list[str]:
    """The characters at even places of one text and those at odd places of another."""
    mixed = list(even)
    mixed[1::2] = odd[1::2]
    return mixed


def _card_at(
    view: View, places: list[int], digits: str, at: int, passes: Callable[[int, int], bool]
) -> CardNumber | None:
    """The card that begins at the digit `at`."""
    for size in _SIZES.get(digits[at], ()):
        stop = at + size
        if stop > len(places) or not passes(at, stop):
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


KIND = "national_id"
_CHECKED: list[tuple[regex.Pattern[str], Callable[[str], bool]]] = [
    (regex.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d{2}(?![A-Za-z0-9_])"), cpf),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx]"
            r"(?![A-Za-z0-9_])"
        ),
        resident_id,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3}"
            r" ?\d{3} ?\d{2}(?![A-Za-z0-9_])"
        ),
        nir,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_-])(?:\d{8}|[XYZxyz]-?\d{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z]"
            r"(?![A-Za-z0-9_])"
        ),
        dni,
    ),
]
_SHAPED = regex.compile(
    # unambiguous by their letters: Italy's tax code, Britain's insurance number, the Emirates' card
    r"(?<![A-Za-z0-9_])(?:[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"
    r"|784-(?:19|20)\d{2}-\d{7}-\d|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D])"
    r"(?![A-Za-z0-9_])"
)
_DENSE = re.compile(r"[0-9](?:[\w./ -]{0,4}?[0-9]){4,}+")
"""Five digits close together, the least of any such number."""
_SEPARATORS = regex.compile(r"[ .\-]")


def find_identity(view: View) -> Iterator[Finding]:
    """Tax, identity and insurance numbers of several states: kind `national_id`."""
    text = view.text
    if not _DENSE.search(text):
        return
    for pattern, check in _CHECKED:
        for match in pattern.finditer(text):
            if check(_SEPARATORS.sub("", match.group())):
                yield Finding(*match.span(), KIND)
    yield from (Finding(*match.span(), KIND) for match in _SHAPED.finditer(text))
