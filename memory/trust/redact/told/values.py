# ruff: noqa: RUF001 - characters of many scripts
"""Finds the words of a text that may be a secret's value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..formats.shapes import Shape, shape

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
