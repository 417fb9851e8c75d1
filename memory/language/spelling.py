"""Names in other spellings and scripts: Katherine and Catherine, Мария and Maria, マリア and Maria.

A name is compared by its consonants in Latin letters, and by how alike the letters are. The
transliteration is anyascii's.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from .fold import fold
from .scripts import script_of

_NO_LETTERS = re.compile(r"[^a-z]+")
_SOUNDS = (
    ("ph", "f"), ("sch", "s"), ("sh", "s"), ("ch", "k"), ("ck", "k"), ("th", "t"), ("kh", "k"),
    ("tz", "s"), ("ts", "s"), ("x", "ks"), ("c", "k"), ("q", "k"), ("w", "v"), ("z", "s"),
    ("y", "i"), ("j", "i"),
)  # fmt: skip
_VOWELS = re.compile(r"[aeiouh]+")
_REPEATED = re.compile(r"(.)\1+")
_LEAST_SOUNDS = 2
_ALIKE = 0.7
"""Share of letters in common, in order, of two spellings in Latin letters."""
_ALIKE_ACROSS = 0.5
"""The same across scripts; some write no vowels."""
_MAX_CHARS = 40


def sounds_of(name: str) -> str:
    """The consonants of a name, "" if there are too few to tell it from others.

    A first vowel is kept as "a", so that Ahmed is not Mehdi.
    """
    latin = _latin(name)
    for spelled, sound in _SOUNDS:
        latin = latin.replace(spelled, sound)
    first = "a" if latin[:1] in ("a", "e", "i", "o", "u") else ""
    sounds = _REPEATED.sub(r"\1", first + _VOWELS.sub("", latin))
    return sounds if len(sounds) >= _LEAST_SOUNDS else ""


def is_spelled_alike(one: str, other: str) -> bool:
    """Whether two words are spellings of one name; both are folded or as written."""
    if not sounds_of(one) or sounds_of(one) != sounds_of(other):
        return False
    likeness = SequenceMatcher(None, _latin(one), _latin(other), autojunk=False).ratio()
    across = script_of(fold(one)[:1]) != script_of(fold(other)[:1])
    return likeness >= (_ALIKE_ACROSS if across else _ALIKE)


def _latin(name: str) -> str:
    if name.isascii():
        return _NO_LETTERS.sub("", name[:_MAX_CHARS].lower())
    from anyascii import anyascii  # its tables are read when a script is first met

    return _NO_LETTERS.sub("", anyascii(name[:_MAX_CHARS]).lower())
