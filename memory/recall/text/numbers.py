"""Numbers in one way of writing: "10,000", "10.000" and "$10k" are 10000."""

from __future__ import annotations

import re
from collections.abc import Iterator

_KILO = re.compile(r"(\d+)(?:[.,](\d{1,2}))?k")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_MEASURE = re.compile(r"(\d+)([^\W\d_]{1,3})")


def number_words(text: str) -> Iterator[str]:
    """A number with points or commas: its value, or what stands whole and its parts (versions)."""
    if kilo := _KILO.fullmatch(text):
        yield _thousandfold(kilo)
    elif _GROUPED.fullmatch(text):
        yield from _grouped(text)
    else:
        yield text.replace(",", ".").removesuffix("k")
        yield from re.split("[.,]", text.removesuffix("k"))


def spoken_digits(text: str) -> list[str] | None:
    """A lower-case word with digits in the forms it is looked for, None if it is no number.

    "5th" is "5", "10k" is "10000" too, "10am" is "10" and "am" too, "07" in a date is "7".
    """
    if text.isdecimal():
        return [text.lstrip("0") or "0"] if len(text) == 2 else [text]  # noqa: PLR2004 - a date's
    if ordinal := _ORDINAL.fullmatch(text):
        return [ordinal[1]]
    if kilo := _KILO.fullmatch(text):
        return [text, _thousandfold(kilo)]
    if measure := _MEASURE.fullmatch(text):
        return [text, measure[1], measure[2]]
    return None


def _grouped(text: str) -> Iterator[str]:
    """Without the signs between thousands; cents are left out, and "10.000" may be a decimal."""
    group = (
        "," if re.search(r",\d{3}(?!\d)", text) and text.find(",") < (text + ".").find(".") else "."
    )
    whole = text.partition("." if group == "," else ",")[0]
    yield whole.replace(group, "")
    if text.count(".") == 1 and "," not in text:
        yield text


def _thousandfold(kilo: re.Match[str]) -> str:
    return ((kilo[1] + (kilo[2] or "").ljust(3, "0")).lstrip("0")) or "0"
