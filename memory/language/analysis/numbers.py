"""Normalises numbers: "10,000", "10.000" and "$10k" are 10000."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registry import from_packs, packs

_KILO = re.compile(r"(\d+)(?:[.,](\d{1,2}))?k")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_MEASURE = re.compile(r"(\d+)([^\W\d_]{1,3})")


@from_packs
def _ordinal() -> re.Pattern[str]:
    known = (re.escape(one) for pack in packs().values() for one in pack.words.ordinal_endings)
    return re.compile(rf"(\d+)(?:{'|'.join(known)})")


def number_words(text: str) -> Iterator[str]:
    """The value of a number with points or commas; of a version the whole and its parts."""
    if kilo := _KILO.fullmatch(text):
        yield _thousandfold(kilo)
    elif _GROUPED.fullmatch(text):
        yield from _grouped(text)
    else:
        yield text.replace(",", ".").removesuffix("k")
        yield from re.split("[.,]", text.removesuffix("k"))


def spoken_digits(text: str) -> list[str] | None:
    """The terms of a lower-case word that begins with digits; None if it is not a number.

    "5th" gives "5", "10k" also "10000", "10am" also "10" and "am", and "07" in a date "7".
    """
    if text.isdecimal():
        return [text.lstrip("0") or "0"] if len(text) == 2 else [text]  # noqa: PLR2004 - a date's
    if ordinal := _ordinal().fullmatch(text):
        return [ordinal[1]]
    if kilo := _KILO.fullmatch(text):
        return [text, _thousandfold(kilo)]
    if measure := _MEASURE.fullmatch(text):
        return [text, measure[1], measure[2]]
    return None


def _grouped(text: str) -> Iterator[str]:
    """The whole part without thousands separators; "10.000" also as it is, a possible decimal."""
    group = (
        "," if re.search(r",\d{3}(?!\d)", text) and text.find(",") < (text + ".").find(".") else "."
    )
    whole = text.partition("." if group == "," else ",")[0]
    yield whole.replace(group, "")
    if text.count(".") == 1 and "," not in text:
        yield text


def _thousandfold(kilo: re.Match[str]) -> str:
    return ((kilo[1] + (kilo[2] or "").ljust(3, "0")).lstrip("0")) or "0"
