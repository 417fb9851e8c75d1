# ruff: noqa: RUF001 - word lists and patterns of many scripts
"""Finds the words after a noun that may be its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ..formats.view import View
from .sentences import LINKING, Link, link

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
    |(?<=[はがを是为為：:=＝])([{_UNSPACED}ー]{{1,10}}[0-9]{{2,8}}(?![0-9字文桁日年月回分時时位个個天次小秒])[!-~]{{0,20}})
    |([^{_NO_WORD}"]+)""",
    re.VERBOSE,
)
_BEGINS = re.compile(rf"[^{_NO_WORD}]|[“„”«`「『【]|(?<=[はがを是为為：:=＝])[{_UNSPACED}ー]")
"""A token's first character. Tried one by one, because a search would pass the last place."""
_QUOTES = 8
"""Groups of `_TOKEN` up to this number are quoted."""
_LONGEST = 512
"""Only the beginning of a longer word is read."""
_LEADING = "'(*[{<_‘:=>"
_TRAILING = ".,;:)]}>'_’"
_GOES_ON = regex.compile(r"(?<=.)(?:[&;](?=[\w.-]{1,40}[=:])|</|;;)")
_PUNCTUATION = ".,;:!?)"
_S = ("'s", "’s")


@dataclass(slots=True)
class Place:
    """A candidate: its span, its word, and the text between the noun and it."""

    start: int
    end: int
    word: str
    quoted: bool
    between: str
    tie: Link


def places(view: View, start: int, end: int) -> Iterator[Place]:
    """Candidates that begin between `start` and `end`.

    A plain word is a candidate only after "is", a colon and the like.
    """
    text = view.text
    previous, done = "", start
    for match in _tokens(text, start, end):
        at = match.start()
        word = match.group()
        dull = previous and _is_plain(word) and _is_dull(previous, text[done:at])
        previous, done = word, match.end()
        if not dull:
            place = _place(view, start, match)
            if place:
                yield place


def _tokens(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The tokens that begin between `start` and `end`; they may end later."""
    limit = min(len(text), end + _LONGEST)
    while (begin := _BEGINS.search(text, start, end)) is not None:
        match = _TOKEN.match(text, begin.start(), limit)
        if match is not None:
            yield match
        start = match.end() if match is not None else begin.end()


def _is_plain(word: str) -> bool:
    core = word.rstrip(_PUNCTUATION)
    if core.isalpha():
        return core[1:].islower() or len(core) == 1
    return len(core) < 3 and core.isdigit()  # noqa: PLR2004 - fewer digits than any code has


def _is_dull(previous: str, gap: str) -> bool:
    """Whether neither the word before nor the gap links to the noun."""
    if gap.strip(" \n"):
        return False
    last = previous[-1]
    if last in ".,;!?)":
        return True
    return (
        last.isalnum()
        and last.isascii()
        and previous.lower() not in LINKING
        and previous[-2:] not in _S
    )


def _place(view: View, start: int, match: re.Match[str]) -> Place | None:
    group = int(match.lastindex or 0)
    quoted = group <= _QUOTES
    first = match.start(group)
    word = match[group]
    if not quoted:
        starred = word.startswith("*")
        bare = word.lstrip(_LEADING)
        first += len(word) - len(bare)
        word = bare.rstrip(_TRAILING + ("*" if starred else ""))
        if "&" in word or ";" in word or "</" in word:
            word = _GOES_ON.split(word, maxsplit=1)[0]
        asked = word.rstrip("!?")
        if asked.isalpha() or asked.isdigit():
            word = asked
    if not word:
        return None
    between = view.low[start:first]
    return Place(first, first + len(word), word, quoted, between, link(between))
