"""Normalises the numbers of a text, to find numbers in a fact that nobody said. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ...language.analysis.numbers import number_words, spoken_digits
from ...language.dates import spelled_numbers
from ...language.fold import clean, fold
from ...language.words import is_unspaced

MAX_SPELLED = 12
"""Largest number that may be spelled out in a language without a list of number words."""

_NUMBER = regex.compile(r"\d+(?:[.,]\d+)*(?:[kK]\b)?")
_BLANK_GROUPS = regex.compile(r"(?<=\d)[\u00a0\u202f' ](?=\d{3}(?!\d))")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_CLOCK = regex.compile(r"(?<![\d:])(\d{1,2}):[0-5]\d(?!\d)")
_CHUNK = 16_000
"""Most characters that `clean` reads at once."""
_LEAST_TENS = 20


def numbers_in(text: str) -> set[str]:
    """All numbers, also spelled ones: "10,000" and "10k" as 10000; of composed ones also parts."""
    found: set[str] = set()
    for start in range(0, len(text), _CHUNK):
        chunk = clean(text[start : start + _CHUNK + 40])
        for number in _stated(chunk):
            found.update(number)
        found.update(_words(chunk.casefold()))
    return found


def unsaid(text: str, said: set[str], *, spelled_unknown: bool) -> bool:
    """Whether a text has a number that is not among `said`.

    `spelled_unknown`: small numbers may have been said in unknown number words.
    """
    cleaned = clean(text)
    return _unsaid_hour(cleaned, said) or any(
        forms[0] not in said
        and not all(form in said for form in forms[1:] or forms)
        and not _may_be_spelled(forms[0], spelled_unknown)
        for forms in _stated(_CLOCK.sub(" ", cleaned))
    )


def _unsaid_hour(text: str, said: set[str]) -> bool:
    """Whether there is a time of day whose hour nobody said. "3 pm" may have become 15:00."""
    hours = [int(found[1]) for found in _CLOCK.finditer(text)]
    return any(said.isdisjoint({str(hour), str(hour % 12), str(hour + 12)}) for hour in hours)


def _may_be_spelled(number: str, spelled_unknown: bool) -> bool:
    # "a dog" is 1, "no children" is 0, in every language.
    return number.isdecimal() and int(number[:6]) <= (MAX_SPELLED if spelled_unknown else 1)


def _stated(text: str) -> Iterator[list[str]]:
    """The forms of each number, the exact one first."""
    for found in _NUMBER.finditer(_BLANK_GROUPS.sub("", text)):
        number = found[0].lower()
        if number.isdecimal():
            yield [number.lstrip("0") or "0"]
        else:
            forms = spoken_digits(number) or list(number_words(number))
            # The exact form of "10k" is the last one (10000), of "3.5" the first.
            exact_last = number.endswith("k")
            ordered = reversed(forms) if exact_last else forms
            yield [form.lstrip("0") or "0" for form in ordered]


def _words(text: str) -> Iterator[str]:
    known, tens = spelled_numbers(), 0
    for word in _WORD.findall(text):
        number = known.get(fold(word))
        if number is None:
            tens = 0
            continue
        yield str(number)
        if tens and number < 10:  # noqa: PLR2004
            yield str(tens + number)
        tens = number if number >= _LEAST_TENS and number % 10 == 0 else 0
    yield from (str(known[sign]) for sign in set(text) if is_unspaced(sign) and sign in known)
