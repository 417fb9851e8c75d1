"""Numbers, units, currencies and times of day in one form, whatever they are written in. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

import regex

from .dates import number_words, spelled_numbers
from .fold import clean, fold
from .registry import packs

MAX_CHARS = 16_000
"""Of a text that is read for numbers at once."""
_OVERLAP = 40
MAX_DIGITS = 18
"""Of a longer row of digits only so many are compared."""
MOST_DERIVED = 7
"""Numbers of a passage from which others are derived."""
_TEN = 10
_POWERS = (10, 100, 1000)
_TENS = range(20, 100, 10)
_SCALES = tuple(_TEN**power for power in range(2, 9))
"""What a word beside a number may multiply it by; no language file has "thousand"."""

_HAN = "一二三四五六七八九十百千万亿億萬兆零〇兩两廿卅"
_TOKEN = regex.compile(
    r"(?P<digits>[0-9]+(?:[ \u00a0\u202f'][0-9]{3}(?![0-9]))+|[0-9]+(?:[.,\u066b\u066c][0-9]+)*)"
    r"(?P<scale>[千万亿億萬兆])?"
    rf"|(?P<han>[{_HAN}]+)|(?P<word>(?:(?![{_HAN}])[\p{{L}}\p{{M}}])+)"
)
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_MARK = regex.compile(r"[.,' \u00a0\u202f\u066b\u066c]")


@dataclass(frozen=True, slots=True)
class Number:
    """A number where it stands in a cleaned text."""

    readings: frozenset[Fraction]
    """What it may be worth: "1.200" is 1200 or 1.2."""
    start: int
    end: int
    spelled: bool = False
    """It is written in letters, so its scale or its tens may be a word that no file has."""

    @property
    def value(self) -> Fraction:
        """The likeliest reading, which is the one without a fraction."""
        return max(self.readings)


def numbers_of(text: str, language: str | None = None) -> list[Number]:
    """The numbers of a text, in order, with the words of a language or of all languages.

    "fifty-five" gives 55 beside 50 and 5, "12.03.2023" its parts.
    """
    words = spelled_numbers() if language is None else number_words(language)
    found: list[Number] = []
    for match in _TOKEN.finditer(clean(text[: MAX_CHARS + _OVERLAP])):
        if match["word"] and fold(match["word"]) not in words:
            continue
        spelled = not match["digits"]
        found += [Number(one, *match.span(), spelled) for one in _readings(match, words)]
    return [*found, *_composed(found)]


def values_of(text: str) -> frozenset[Fraction]:
    """All that the numbers of a text of any length may be worth."""
    parts = (text[at : at + MAX_CHARS + _OVERLAP] for at in range(0, len(text), MAX_CHARS))
    return frozenset(value for part in parts for one in numbers_of(part) for value in one.readings)


def says_one(text: str, language: str) -> bool:
    """Whether an article or the like counts one thing more in a text."""
    pack = packs().get(language)
    ones = {fold(word) for word in pack.calendar.one} if pack else set()
    return not ones.isdisjoint(map(fold, _WORD.findall(clean(text[:MAX_CHARS]))))


def follows(number: Number, said: frozenset[Fraction]) -> bool:
    """Whether a number was said: as it is, in thousands, as a short year, or as "a" or "no"."""
    return any(
        value <= 1
        or value in said
        or any(value * scale in said or value / scale in said for scale in _SCALES)
        or (1900 <= value < 2100 and value % 100 in said)  # noqa: PLR2004 - years in two digits
        for value in number.readings
    )


def derived(values: list[Fraction]) -> frozenset[Fraction]:
    """What a reader may count from some numbers: how many they are, sums, differences, products."""
    some = values[:MOST_DERIVED]
    sums = (
        sum(part, Fraction(0))
        for size in range(2, len(some) + 1)
        for part in combinations(some, size)
    )
    pairs = list(combinations(some, 2))
    differences, products = (abs(a - b) for a, b in pairs), (a * b for a, b in pairs)
    halves = (value + Fraction(1, 2) for value in some)
    count = Fraction(len(values))
    return frozenset((count, *sums, *differences, *products, *halves))


def composed(words: list[Fraction]) -> frozenset[Fraction]:
    """What number words may make with a scale between or behind them, or side by side.

    "two hundred fifty" is 250 though no file has "hundred", "one thirty" 130.
    """
    some = words[:MOST_DERIVED]
    scaled = {value * scale for value in (*some, Fraction(1)) for scale in _SCALES}
    glued = (Fraction(int(f"{a.numerator}{b.numerator}")) for a in some for b in some)
    return frozenset((*glued, *(a + b for a in scaled for b in (Fraction(0), *some, *scaled))))


def _readings(match: regex.Match[str], words: Mapping[str, int]) -> Iterator[frozenset[Fraction]]:
    if match["word"]:
        yield frozenset((Fraction(words[fold(match["word"])]),))
    elif match["han"]:
        yield frozenset((Fraction(_han(match["han"])),))
    else:
        scale = int(unicodedata.numeric(match["scale"])) if match["scale"] else 1
        for values in _of_digits(match["digits"]):
            yield frozenset(value * scale for value in values)


def _of_digits(digits: str) -> Iterator[set[Fraction]]:
    """One number with groups or a fraction, or each part of something else."""
    first, *groups = (part[:MAX_DIGITS] for part in _MARK.split(digits))
    marks = _MARK.findall(digits)
    grouped = len(first) <= 3 and all(len(group) == 3 for group in groups)  # noqa: PLR2004
    if not groups:
        yield {Fraction(int(first))}
    elif grouped and len(set(marks)) == 1:
        one_mark = len(groups) == 1 and marks[0] not in " '\u00a0\u202f"
        joined = Fraction(int(first + "".join(groups)))
        yield {joined, _decimal(first, groups[0])} if one_mark else {joined}
    elif len(groups) > 1 and len(set(marks)) > 1:
        yield {_decimal(first + "".join(groups[:-1]), groups[-1])}
    else:
        if len(groups) == 1:
            yield {_decimal(first, groups[0])}
        yield from ({Fraction(int(part))} for part in (first, *groups))


def _decimal(whole: str, part: str) -> Fraction:
    return Fraction(int(whole + part), _TEN ** len(part))


def _han(signs: str) -> int:
    """四千 is 4000, 三十二万 is 320000, 二〇二三 is 2023."""
    values = [2 if sign == "两" else int(unicodedata.numeric(sign)) for sign in signs[:MAX_DIGITS]]
    if all(value < _TEN for value in values):
        return int("".join(map(str, values)))
    total = section = digit = 0
    for value in values:
        if value in _POWERS:
            section, digit = section + max(digit, 1) * value, 0
        elif value > _POWERS[-1]:
            total, section, digit = max(total + section + digit, 1) * value, 0, 0
        else:
            section, digit = section + digit, value
    return total + section + digit


def _composed(found: list[Number]) -> Iterator[Number]:
    """Of neighbouring words the number that they make: "fifty-five"."""
    words = [one for one in found if one.spelled]
    for tens, unit in pairwise(words):
        beside = unit.start - tens.end == 1
        if beside and tens.value in _TENS and 0 < unit.value < _TEN:
            whole = frozenset((tens.value + unit.value,))
            yield Number(whole, tens.start, unit.end, spelled=True)


_NAMES = {
    "kg": "kg kgs kilo kilos kilogram kilograms", "g": "g gr gram grams", "mg": "mg",
    "lb": "lb lbs pound pounds", "oz": "oz ounce ounces", "st": "stone stones",
    "t": "t ton tons tonne tonnes", "km": "km kms kilometre kilometres kilometer kilometers",
    "mi": "mi mile miles", "m": "m metre metres meter meters", "cm": "cm", "mm": "mm",
    "ft": "ft foot feet", "in": "inch inches", "yd": "yd yard yards",
    "l": "l litre litres liter liters", "ml": "ml", "gal": "gal gallon gallons",
    "c": "\u00b0c celsius", "f": "\u00b0f fahrenheit", "%": "% percent", "mcg": "mcg \u03bcg",
    "mb": "mb", "gb": "gb", "tb": "tb", "kw": "kw", "kwh": "kwh",
    "eur": "\u20ac eur euro euros", "gbp": "\u00a3 gbp pound pounds quid",
    "usd": "$ usd dollar dollars buck bucks", "cad": "$ cad dollar dollars",
    "aud": "$ aud dollar dollars", "mxn": "$ mxn", "brl": "r$ brl", "chf": "chf",
    "jpy": "\u00a5 jpy yen", "cny": "\u00a5 cny rmb yuan", "inr": "\u20b9 inr rupee rupees",
    "pln": "pln z\u0142", "rub": "\u20bd rub", "try": "\u20ba try", "krw": "\u20a9 krw",
    "sek": "sek", "nok": "nok", "dkk": "dkk",
}  # fmt: skip
_UNITS: dict[str, frozenset[str]] = {}
for _unit, _names in _NAMES.items():
    for _name in _names.split():
        _UNITS[fold(_name)] = _UNITS.get(fold(_name), frozenset()) | {_unit}

_BEHIND = regex.compile(
    r"[\s-]{0,2}(\u00b0?[CFcf]\b|[%\u20ac\u00a3\u00a5$\u20b9\u20bd\u20ba\u20a9]|\p{L}+\$?)"
)
_BEFORE = regex.compile(r"(R\$|[\u20ac\u00a3\u00a5$\u20b9\u20bd\u20ba\u20a9]|\b\p{L}{3})\s?$")
_CLOCK = regex.compile(
    r"(?<![0-9:.,])(?P<hour>[01]?[0-9]|2[0-4])(?:[:.hH](?P<minute>[0-5][0-9]))?(?![0-9:])"
    r"(?:\s?(?P<half>[aApP])\.?[mM]\b)?"
)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day; `half` is "a", "p" or "" for am, pm or neither."""

    hour: int
    minute: int
    half: str = ""

    def is_against(self, other: ClockTime) -> bool:
        """Whether the same hour is named in the other half of the day."""
        if (self.hour - other.hour) % 12 or self.minute != other.minute:
            return False
        mine, theirs = self._half, other._half
        return bool(mine and theirs) and mine != theirs

    def is_like(self, other: ClockTime) -> bool:
        """Whether both may mean the same time."""
        same = not (self.hour - other.hour) % 12 and self.minute == other.minute
        return same and not self.is_against(other)

    @property
    def _half(self) -> str:
        return "p" if self.hour > 12 else self.half  # noqa: PLR2004


def units_of(
    text: str, numbers: Iterable[Number] | None = None
) -> Iterator[tuple[Number, frozenset[str]]]:
    """Each number of a text that has a known unit, with all that the unit may mean.

    `numbers` are its `numbers_of`, where somebody has them.
    """
    cleaned = clean(text)
    for number in numbers_of(text) if numbers is None else numbers:
        before = _BEFORE.search(cleaned, max(0, number.start - 4), number.start)
        behind = _BEHIND.match(cleaned, number.end)
        for found in (behind, before):
            if found and (unit := _UNITS.get(fold(found[1]))):
                yield number, unit
                break


def is_unit(word: str) -> bool:
    """Whether a folded word is a unit or a currency."""
    return word in _UNITS


def clocks_of(text: str, *, bare: bool = False) -> list[tuple[str, ClockTime]]:
    """The times of day in a text as they are written; `bare` also lone hours ("at 7")."""
    return [
        (
            found[0],
            ClockTime(int(found["hour"]), int(found["minute"] or 0), (found["half"] or "").lower()),
        )
        for found in _CLOCK.finditer(clean(text))
        if bare or found["half"] or (found["minute"] and "." not in found[0])
    ]
