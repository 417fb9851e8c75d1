"""Units, currencies and times of day beside numbers, in one form. Pure.

International signs and codes, and the English names that mean the same. A unit that is not here
says nothing: nobody is refused for a word that we do not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ..fold import clean, fold
from .numerals import Number, numbers_of

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
class Clock:
    """A time of day; `half` is "a", "p" or "" for am, pm or neither."""

    hour: int
    minute: int
    half: str = ""

    def is_against(self, other: Clock) -> bool:
        """Whether the same hour is named in the other half of the day."""
        if (self.hour - other.hour) % 12 or self.minute != other.minute:
            return False
        mine, theirs = self._half, other._half
        return bool(mine and theirs) and mine != theirs

    def is_like(self, other: Clock) -> bool:
        """Whether both may mean the same time."""
        same = not (self.hour - other.hour) % 12 and self.minute == other.minute
        return same and not self.is_against(other)

    @property
    def _half(self) -> str:
        return "p" if self.hour > 12 else self.half  # noqa: PLR2004


def units_of(text: str) -> Iterator[tuple[Number, frozenset[str]]]:
    """Each number of a text that has a known unit, with all that the unit may mean."""
    cleaned = clean(text)
    for number in numbers_of(text):
        before = _BEFORE.search(cleaned, max(0, number.start - 4), number.start)
        behind = _BEHIND.match(cleaned, number.end)
        for found in (behind, before):
            if found and (unit := _UNITS.get(fold(found[1]))):
                yield number, unit
                break


def is_unit(word: str) -> bool:
    """Whether a folded word is a unit or a currency."""
    return word in _UNITS


def clocks_of(text: str, *, bare: bool = False) -> list[tuple[str, Clock]]:
    """The times of day in a text as they are written; `bare` also lone hours ("at 7")."""
    return [
        (
            found[0],
            Clock(int(found["hour"]), int(found["minute"] or 0), (found["half"] or "").lower()),
        )
        for found in _CLOCK.finditer(clean(text))
        if bare or found["half"] or (found["minute"] and "." not in found[0])
    ]
