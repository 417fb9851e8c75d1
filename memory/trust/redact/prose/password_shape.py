# ruff: noqa: RUF001
"""Scores words that may be the value of a secret by how much they look made up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ....util import lazy_regex as regex
from ..formats.shapes import Shape, is_placeholder, shape
from ..formats.tokens import has_random_piece, is_public
from .terms import Prose

_UNSPACED = (
    # Han, Hiragana, Katakana, Hangul
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\u1100-\u11ff\uff66-\uff9f\U00020000-\U0003ffff"
)
_NO_WORD = rf"\s{_UNSPACED}ー、。，；：！？（）「」『』【】《》“”„«»…।،؛؟`"
_TOKEN = re.compile(
    rf"""(?<!\w)(?:"([^"\n]{{1,120}})"|'([^'\n]{{1,120}})'(?!\w)|[“„”]([^“”„\n]{{1,120}})[”“]
    |«\ ?([^»\n]{{1,120}}?)\ ?»|‘([^’\n]{{1,120}})’|`([^`\n]{{1,120}})`)
    |[「『]([^」』\n]{{1,120}})[」』]|【([^】\n]{{1,120}})】
    |((?=[A-Z\ ]{{0,40}}[2-7])[A-Z2-7]{{4}}(?:\ [A-Z2-7]{{4}}){{3,15}}(?!\w)
    |(?=[a-z\ ]{{0,40}}[2-7])[a-z2-7]{{4}}(?:\ [a-z2-7]{{4}}){{3,15}}(?!\w))
    |(\d(?:\ \d){{3,7}}(?!\w|[.,:/-]\w|\ \d))
    |(\d{{2,4}}(?:\ \d{{2,4}}){{1,3}}(?![\w%€$]|[.,:/-]\w))
    |([^{_NO_WORD}"]+)""",
    re.VERBOSE,
)
_BEGINS = re.compile(rf"[^{_NO_WORD}]|[“„”«`「『【]")
"""A token's first character. Tried one by one, because a search would pass the last place."""
_QUOTES = 8
"""Groups of `_TOKEN` up to this number are quoted."""
_LONGEST = 512
"""Only the beginning of a longer word is read."""
_LEADING = ",'(*[{<_‘:=>"
_TRAILING = ".,;:)]}>'_’"


@dataclass(frozen=True, slots=True)
class Value:
    """A word or a quoted text that may be a value."""

    start: int
    end: int
    text: str
    quoted: bool
    shape: Shape

    @property
    def digits(self) -> int:
        return sum(map(str.isdigit, self.text))


def values(text: str, start: int, end: int) -> Iterator[Value]:
    """Candidates that begin between `start` and `end`; they may end later."""
    limit = min(len(text), end + _LONGEST)
    while (begin := _BEGINS.search(text, start, end)) is not None:
        match = _TOKEN.match(text, begin.start(), limit)
        start = match.end() if match else begin.end()
        value = _value(match) if match else None
        if value:
            yield value


def _value(match: re.Match[str]) -> Value | None:
    group = int(match.lastindex or 0)
    quoted = group <= _QUOTES
    start, word = match.start(group), match[group]
    if not quoted:
        starred = word.startswith("*")
        bare = word.lstrip(_LEADING)
        start += len(word) - len(bare)
        word = bare.rstrip(_TRAILING + ("*" if starred else ""))
        word = word.partition("</")[0]
        word = word.removesuffix("**")
        asked = word.rstrip("!?")
        if asked.isdigit() or asked.rstrip("*").isalpha():
            word = asked if asked.isdigit() else asked.rstrip("*")
    if not word:
        return None
    found = Shape.WORD if " " in word and quoted else shape(word)
    return Value(start, start + len(word), word, quoted, found)


_COMPOUND = 3.5
"""Letters with digits and signs, or joined words with digits: "copper-heron-15"."""
_WITH_DIGITS = 3.0
"""A word with some digits: "tanito1986"."""
_WITH_SIGN = 2.5
_JOINED = 2.0
"""Joined words, or a word with one digit."""
_CODE_LIKE = 1.5
"""What may be a name: of a title, a model, a document. It is no secret unless it is named one."""
_FOREIGN = 1.0
"""More for Latin letters in a text of another script."""
_LED = 0.5
"""More behind "is", "with"."""
_DIGITS, _FEW_OR_MANY, _FOUR = 2.0, 1.0, 0.5
"""Four to six digits, other numbers of them, and more for four."""
_MARKED = 1.5
"""More for digits with a star or hash."""
_LIKE_A_YEAR = -1.0
_ALONE, _SPACED = 2.0, 1.0
"""More for four digits apart, which nearly nobody writes but for a code, and for three."""
_SOLID = 7
"""Characters of a word with digits that is more than a name with a number."""
_FEWEST, _MOST = 3, 8
"""Digits of a code."""
_PIN = 4
_USUAL = range(4, 7)
_INNER = regex.compile(r"(?<=[^\W_])[@#$%&_](?=[^\W_])|(?<=\d)[!?](?=\w)|(?<=\w)[!?](?=\d)")
_SIGN = regex.compile(r"(?<=\w)[@#$%&!?]+(?=\w)|(?<=\d)[!#$]+\Z")
_CHAIN = regex.compile(r"[^\W_]{2,}(?:[-_.][^\W_]+)+")
_PROPER = regex.compile(r"\p{Lu}\p{Ll}+(?:[-.]\p{L}\p{Ll}*)+")
"""As "Saint-Denis" and "End-of-Day"."""
_TITLE = regex.compile(r"[^\W\d_]+-\d{1,3}")
"""As "Catch-22" and "covid-19"."""
_MODEL = regex.compile(
    r"[A-Z]{2,}(?:[-_].*|[a-z]\d{1,2})|(?:.*[-_])?[A-Z]{1,3}\d{1,4}[A-Za-z]?(?:[-_].*)?"
)
"""As "RT-AX88U" and "ThinkPad-X1"."""
_REFERENCE = regex.compile(
    r"\p{L}+(?:[-_.]v?\d+){2,}\p{L}?|\p{L}{1,4}\d?[-.]\d+\p{L}?"
    r"|\p{Ll}{1,4}(?:[-_.](?:\p{Ll}{1,4}|\d{1,4}\p{L}?))+"
)
"""As "doc-2024-001", "ubuntu-24.04" and "gpt-4o-mini"."""
_PRODUCT = regex.compile(
    r"\p{Ll}{0,2}\p{Lu}\p{L}*?(?:\p{Ll}\p{Lu}\p{L}*?\d{1,4}(?:\p{L}+\d?)?|\d{1,4}\p{Lu}\p{L}*\d?)"
    r"|\p{Ll}\d{2,4}"
)
"""As "ThinkPadX1", "Mate60Pro" and "k380": words and numbers that only capitals part."""
_CAPITALS = regex.compile(
    r"(?=.*\d.*\d)(?=.*[A-Z])[A-Z\d]{3,20}[#*]?|[A-Z]{1,2}-\d{3,6}|\d{1,4}(?!x)\p{L}\d{2,6}"
)
_BAND = regex.compile(r".*[-_ ](?:2\.4|5|6)\s?G(?:Hz)?", flags=regex.IGNORECASE)
"""The end of a network's name."""
_UNIT = regex.compile(r"\d{1,5}(?:[.,]\d+)?[°µ]?\p{L}{1,3}")
_STARTED = regex.compile(r"\d{2,6}[^\W\d_]{3,20}\d{0,6}|\d{4,8}[^\W\d_]{2}")
_ADDRESS = regex.compile(r"[/\\<>]|:\D")
KEYS = regex.compile(r"[#*✳⋆★\ufe0e]+")
"""Signs of keys beside digits."""
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
class ScoredValue:
    """A value with what its look is worth."""

    start: int
    end: int
    points: float
    digits: int = 0
    """Of a code; 0 of a password."""
    plain: bool = False
    """Digits or capitals that may as well be any number."""
    is_name: bool = False
    """It may as well be what a thing is called."""
    is_formed: bool = False
    """Nothing but a secret is written so, as far as anybody can read."""

    @property
    def is_code(self) -> bool:
        """Of digits, with capitals and signs of keys at most."""
        return self.digits > 0

    @property
    def kind(self) -> str:
        """Of the finding."""
        return "code" if self.is_code else "password"


def scored(read: Prose, value: Value) -> ScoredValue | None:
    """What a value's look is worth; None if it is a word, a count or another thing's number."""
    if is_placeholder(value.text):
        return None
    is_number = value.shape is Shape.NUMBER or KEYS.sub("", value.text).isdigit()
    is_code = is_number or _CAPITALS.fullmatch(value.text) is not None
    points = _of_code(read, value, is_number=is_number) if is_code else _of_word(read, value)
    if not points:
        return None
    before = read.words(0, value.start).stop - 1
    apart = _APART.fullmatch(value.text) is not None and value.digits >= _PIN
    formed = not is_code and (
        _is_formed(value.text) or (read.is_unread and _is_foreign(read, value.text))
    )
    if before in read.other_numbers and not (formed or apart):
        return None
    points += _LED if before in read.links else 0.0
    if not is_code:
        name = _is_name(value.text)
        return ScoredValue(value.start, value.end, points, is_name=name, is_formed=formed)
    plain = not (_APART.fullmatch(value.text) or _has_mark(read, value))
    return ScoredValue(*_with_keys(read, value), points, value.digits, plain)


def _of_code(read: Prose, value: Value, *, is_number: bool) -> float:
    return _of_number(read, value) if is_number else _CODE_LIKE


def _of_word(read: Prose, value: Value) -> float:
    """Letters with digits or signs; more in a text of another script than the Latin one."""
    if value.shape < Shape.LIKELY and not _TITLE.fullmatch(value.text):
        return 0.0
    if not read.opened.isdisjoint(read.words(value.start, value.end)):
        return 0.0  # it is what is opened: "Internet2"
    points = _of_letters(value.text)
    return points + _FOREIGN if points and _is_foreign(read, value.text) else points


def _is_foreign(read: Prose, text: str) -> bool:
    """Whether it is Latin letters in a text of another script, and no name of a thing."""
    return text.isascii() and not read.is_latin and not _is_name(text)


def _is_formed(text: str) -> bool:
    """Whether nothing but a secret is written so: with signs inside, or at random."""
    return _SIGN.search(text) is not None or has_random_piece(text)


def _is_name(text: str) -> bool:
    """Whether things are called so: titles, models, documents, versions."""
    forms = (_TITLE, _MODEL, _REFERENCE, _PRODUCT)
    return any(form.fullmatch(text) for form in forms)


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
        return _JOINED if _STARTED.fullmatch(text) else 0.0
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
    if not _FEWEST <= value.digits <= _MOST or _is_amount(read, value):
        return 0.0
    is_pin = value.digits == _PIN
    apart = _APART.fullmatch(value.text) is not None
    looks = (
        (_DIGITS, value.digits in _USUAL),
        (_FEW_OR_MANY, value.digits not in _USUAL),
        (_FOUR, is_pin),
        (_MARKED, _has_mark(read, value)),
        (_ALONE, apart and value.digits >= _PIN),
        (_SPACED, apart and value.digits < _PIN),
        (_LIKE_A_YEAR, not apart and _YEAR.fullmatch(value.text)),
    )
    return sum(points for points, is_so in looks if is_so)


def _is_amount(read: Prose, value: Value) -> bool:
    """Whether the number counts something, or is that of the thing before it."""
    text = read.view.text
    before = text[max(0, value.start - 2) : value.start]
    return bool(
        read.is_counted(value.end)
        or _COUNTS.match(text, value.end)
        or _COUNTED.search(before)
        or (value.digits != _PIN and _counts_something(read, value))
        or _is_numbered(read, value)
    )


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
    if KEYS.search(read.view.text, value.start, value.end + 1):
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
    mark = KEYS.match(read.view.text, end)
    while start and read.view.text[start - 1] in _SIGNS:
        start -= 1
    return start, mark.end() if mark else end
