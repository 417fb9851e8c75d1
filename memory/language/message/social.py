"""Detects greetings, thanks and acknowledgements."""

from __future__ import annotations

import regex

from ..requests import Cue
from .reading import Reading

_LONGEST = 25
"""Words of the longest message that is looked at as small talk."""
_MAX_SYMBOLS = 40
"""Characters of the longest message of emoji and punctuation only."""
_STRETCHED = regex.compile(r"(\p{L})\1{2,}+")
_LAUGHTER = regex.compile(r"(\p{L}{1,2})\1{2,20}+\p{L}?")
"""One or two letters again and again: hahaha, jajaja, kkkk, wwww."""


def is_social(reading: Reading, text: str) -> bool:
    """Whether nothing but greeting, thanks or acknowledgement was said."""
    found = reading.scan
    if not found.words:
        return 0 < len(text.strip()) <= _MAX_SYMBOLS and not reading.material.supplied
    if len(found.words) > _LONGEST or reading.material.supplied:
        return False
    if _covered(reading, allow_praise="?" not in text):
        return True
    plain = _STRETCHED.sub(r"\1", text)
    return plain != text and _covered(Reading(reading.material._replace(asked=plain)))


def laughs(reading: Reading) -> bool:
    """Whether a word is laughter."""
    return any(_LAUGHTER.fullmatch(word) for word in reading.scan.words)


def _covered(reading: Reading, *, allow_praise: bool = True) -> bool:
    found = reading.scan
    greeted = found.covered(Cue.GREET) | {
        i for i, word in enumerate(found.words) if _LAUGHTER.fullmatch(word)
    }
    around = found.covered(Cue.PRAISE) | (found.stop - found.covered(Cue.OPENER, Cue.KIN))
    said = greeted | around if allow_praise else greeted
    rest = [i for i in range(len(found.words)) if i not in said]
    return bool(greeted) and (not rest or _is_addressee(reading, rest, greeted))


def _is_addressee(reading: Reading, rest: list[int], greeted: set[int]) -> bool:
    """Whether the rest is one capitalised word right after a greeting, such as a name."""
    index = rest[0]
    return len(rest) == 1 and index - 1 in greeted and reading.scan.raw[index].istitle()
