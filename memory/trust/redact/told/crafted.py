"""How much a word looks as if somebody made it up to open something."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from ..formats.placeholders import is_placeholder
from ..formats.random import is_public
from ..formats.shapes import Shape
from .prose import Prose
from .values import Value

_COMPOUND = 3.5
"""Letters with digits and signs, or joined words with digits: "copper-heron-15"."""
_WITH_DIGITS = 3.0
"""A word with some digits: "tanito1986"."""
_WITH_SIGN = 2.5
_JOINED = 2.0
"""Joined words, or a word with one digit."""
_CODE_LIKE = 1.5
"""Capitals with digits, and what may be a title: many things have such names."""
_FOREIGN = 1.0
"""More for Latin letters in a text of another script."""
_LED = 0.5
"""More behind "is", "with"."""
_DIGITS, _FEW_OR_MANY, _FOUR = 2.0, 1.0, 0.5
"""Four to six digits, other numbers of them, and more for four."""
_MARKED = 1.5
"""More for digits with a star or hash."""
_ALONE, _SPACED = 2.0, 1.0
"""More for four digits apart, which nearly nobody writes but for a code, and for three."""
_SOLID = 7
"""Characters of a word with digits that is more than a name with a number."""
_FEWEST, _MOST = 3, 8
"""Digits of a code."""
_PIN = 4
_USUAL = range(4, 7)
_INNER = regex.compile(r"(?<=[^\W_])[@#$%&_](?=[^\W_])|(?<=\d)[!?](?=\w)|(?<=\w)[!?](?=\d)")
_CHAIN = regex.compile(r"[^\W_]{2,}(?:[-_.][^\W_]+)+")
_PROPER = regex.compile(r"\p{Lu}\p{Ll}+(?:[-.]\p{L}\p{Ll}*)+")
"""As "Saint-Denis" and "End-of-Day"."""
_TITLE = regex.compile(r"[^\W\d_]+-\d{1,3}")
"""As "Catch-22" and "covid-19"."""
_MODEL = regex.compile(
    r"[A-Z]{2,}(?:[-_].*|[a-z]\d{1,2})|(?:.*[-_])?[A-Z]{1,3}\d{1,4}[A-Za-z]?(?:[-_].*)?"
)
"""As "RT-AX88U" and "ThinkPad-X1"."""
_CAPITALS = regex.compile(
    r"(?=.*\d.*\d)(?=.*[A-Z])[A-Z\d]{3,20}[#*]?|[A-Z]{1,2}-\d{3,6}|\d{1,4}(?!x)\p{L}\d{2,6}"
)
_BAND = regex.compile(r".*[-_ ](?:2\.4|5|6)\s?G(?:Hz)?", flags=regex.IGNORECASE)
"""The end of a network's name."""
_UNIT = regex.compile(r"\d{1,5}(?:[.,]\d+)?[°µ]?\p{L}{1,3}")
_STARTED = regex.compile(r"\d{2,6}[^\W\d_]{3,20}\d{0,6}|\d{4,8}[^\W\d_]{2}")
_ADDRESS = regex.compile(r"[/\\<>]|:\D")
_KEYS = regex.compile(r"[#*✳⋆★\ufe0e]+")
_SIGNS = "#*"
_NEAR = 4
"""Words before a thing in which its code is named: "the code of the gate 7713"."""
_YEAR = regex.compile(r"(?:19|20)\d\d")
_APART = regex.compile(r"\d(?:[ -]\d){2,7}")
_COUNTS = regex.compile(
    r"\s?[$€£¥₹₽₺₩%°]|[.,:]\d|\s\d"
    r"|\s?(?:[kmµ]?[gmlsvw]|cm|km|kwh?|mah|[kmgt]b|[mg]hz|min|h|px|rpm|cc|hp|ps|ppm|dpi|fps)\b",
    flags=regex.IGNORECASE,
)
"""What a number counts: signs and symbols of units, which need no language."""
_COUNTED = regex.compile(r"[$€£¥₹₽₺₩№+/-]\s?\Z|\d[.,:]\Z|\d\s\Z")


@dataclass(frozen=True, slots=True)
class Crafted:
    """A value with what its look is worth."""

    start: int
    end: int
    points: float
    digits: int
    is_code: bool
    """Of digits, with capitals and signs of keys at most."""
    plain: bool = False
    """Digits or capitals that may as well be any number."""

    @property
    def kind(self) -> str:
        """Of the finding."""
        return "code" if self.is_code else "password"


def crafted(read: Prose, value: Value) -> Crafted | None:
    """What a value's look is worth; None if it is a word, a count or another thing's number."""
    before = read.words(0, value.start).stop - 1
    apart = _APART.fullmatch(value.text) is not None and value.digits >= _PIN
    if is_placeholder(value.text) or (before in read.other_numbers and not apart):
        return None
    led = _LED * (before in read.links)
    if value.shape is Shape.NUMBER or _KEYS.sub("", value.text).isdigit():
        points = _of_number(read, value)
    elif _CAPITALS.fullmatch(value.text):
        points = _CODE_LIKE
    elif value.shape < Shape.LIKELY and not _TITLE.fullmatch(value.text):
        points = 0.0
    else:
        points = 0.0 if _is_purpose(read, value) else _of_word(read, value)
        return Crafted(value.start, value.end, points + led, 0, is_code=False) if points else None
    if not points:
        return None
    start, end = _with_keys(read, value)
    plain = not (_APART.fullmatch(value.text) or _has_mark(read, value))
    return Crafted(start, end, points + led, value.digits, is_code=True, plain=plain)


def _is_purpose(read: Prose, value: Value) -> bool:
    """Whether the word is what is opened: "Internet2"."""
    return not read.opened.isdisjoint(read.words(value.start, value.end))


def _of_word(read: Prose, value: Value) -> float:
    """Letters with digits or signs; more in a text of another script than the Latin one."""
    points = _of_letters(value.text)
    return points + _FOREIGN * bool(points and value.text.isascii() and not read.is_latin)


def _of_letters(text: str) -> float:
    digits = any(map(str.isdigit, text))
    if (
        not any(map(str.isalpha, text))
        or is_public(text)
        or _BAND.fullmatch(text)
        or _ADDRESS.search(text)
        or _UNIT.fullmatch(text)
    ):
        return 0.0
    if _TITLE.fullmatch(text) or _MODEL.fullmatch(text) or text == text.upper():
        return _CODE_LIKE
    if not text[0].isalpha():
        return _JOINED * bool(_STARTED.fullmatch(text))
    if digits and (_INNER.search(text) or _CHAIN.fullmatch(text)):
        return _COMPOUND
    if digits:
        return _WITH_DIGITS if _is_mixed(text) else _JOINED
    if _INNER.search(text):
        return _WITH_SIGN
    return _JOINED if _CHAIN.fullmatch(text) and not _PROPER.fullmatch(text) else 0.0


def _is_mixed(text: str) -> bool:
    """Whether digits stand inside, not only one at the end."""
    return len(text) >= _SOLID and any(map(str.isdigit, text[:-1]))


def _of_number(read: Prose, value: Value) -> float:
    text = read.view.text
    if not _FEWEST <= value.digits <= _MOST or read.is_counted(value.end):
        return 0.0
    before = text[max(0, value.start - 2) : value.start]
    if _COUNTS.match(text, value.end) or _COUNTED.search(before):
        return 0.0
    if (value.digits != _PIN and _counts_something(read, value)) or _is_numbered(read, value):
        return 0.0
    points = _DIGITS if value.digits in _USUAL else _FEW_OR_MANY
    points += _FOUR * (value.digits == _PIN) + _MARKED * _has_mark(read, value)
    if _APART.fullmatch(value.text):
        return points + (_ALONE if value.digits >= _PIN else _SPACED)
    return points - bool(_YEAR.fullmatch(value.text))


def _counts_something(read: Prose, value: Value) -> bool:
    """Whether a word that is no function word follows directly."""
    behind = read.words(value.start, value.end).stop
    words = read.seen.words
    if behind >= len(words.raw) or read.view.text[value.end : words.starts[behind]] != " ":
        return False
    if behind in read.joins or not words.raw[behind].isalpha():
        return False
    return behind not in read.keypad and behind not in read.opening


def _is_numbered(read: Prose, value: Value) -> bool:
    """Whether it is the number of the thing before it: "building 4410"."""
    before = read.words(0, value.start).stop - 1
    if before not in read.places or not value.text.isdigit():
        return False
    if not read.asking.isdisjoint(range(before - _NEAR, before)):
        return False
    return read.view.text[read.seen.words.ends[before] : value.start] == " "


def _has_mark(read: Prose, value: Value) -> bool:
    """Whether a sign or the word for a key, such as star, is beside the digits."""
    if _KEYS.search(read.view.text, value.start, value.end + 1):
        return True
    beside = read.words(value.start, value.end)
    return not read.keypad.isdisjoint(range(beside.start - 2, beside.stop + 2))


def _with_keys(read: Prose, value: Value) -> tuple[int, int]:
    """The code with the signs and words of keys on both sides of it."""
    words = read.seen.words
    inside = read.words(value.start, value.end)
    first, last = read.with_keys(inside.start, inside.stop)
    start = words.starts[first] if first < inside.start else value.start
    end = words.ends[last - 1] if last > inside.stop else value.end
    mark = _KEYS.match(read.view.text, end)
    while start and read.view.text[start - 1] in _SIGNS:
        start -= 1
    return start, mark.end() if mark else end
