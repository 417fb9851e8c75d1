"""Names in a text, and in other spellings and scripts: Katherine and Catherine, Мария and Maria.

A name is found by its capital letter, and compared by its consonants in Latin letters and by how
alike the letters are. The transliteration is anyascii's.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

import regex

from .analysis.parts import MAX_TERM
from .detect import FALLBACK, function_words_of, language_of_clean
from .fold import clean, fold
from .registry import from_packs, packs
from .scripts import UNSPACED, script_of

_FIRST = r"\p{Lu}\p{Lt}\p{Lo}"
_PART = r"[\p{L}\p{M}\d.'-]{0,31}"
_TOKENS = regex.compile(
    '(?P<end>[.!?\u2026:;\n"\u201c\u201d\u00ab\u00bb(*\u2022>\u00bf\u00a1]+)'
    r"|(?P<word>[\p{L}\p{M}\d]+(?:['-][\p{L}\p{M}]+)*)"
)


@from_packs
def _speaker() -> regex.Pattern[str]:
    """Up to three words of a name before a colon."""
    particles = {
        regex.escape(one) for pack in packs().values() for one in pack.words.name_particles
    }
    more = "|".join([*sorted(particles), rf"[{_FIRST}\d]{_PART}"])
    return regex.compile(rf"\s*([{_FIRST}]{_PART}(?: (?:{more})){{0,2}}):(?=\s|[{UNSPACED}])")


@from_packs
def _labels() -> frozenset[str]:
    """Words before a colon that name nobody."""
    labels = {one.casefold() for pack in packs().values() for one in pack.words.labels}
    return function_words_of(FALLBACK) | labels


def speaker_of(text: str) -> str | None:
    """The folded name before ': ' at the start of a chat line; None for labels like 'Note:'."""
    head = clean(text[:200])
    found = _speaker().match(head) if ":" in head else None
    if found is None:
        return None
    first = found[1].casefold().split()[0]
    return None if first in _labels() else fold(found[1])


def names_in(text: str) -> frozenset[str]:
    """The speaker and all capitalised words that are not function words, folded.

    The first word of a sentence counts only with a genitive ("Caroline's"). German nouns count too.
    In a script without case only the speaker is found.
    """
    cleaned = clean(text)
    stop = function_words_of(language_of_clean(cleaned))
    names = set(_capitalised(cleaned, stop))
    if speaker := speaker_of(text):
        names |= {speaker, *speaker.split()}
    return frozenset(names)


def _capitalised(text: str, stop: frozenset[str]) -> set[str]:
    names: set[str] = set()
    first = True
    for found in _TOKENS.finditer(text):
        word = found["word"]
        if (
            word
            and word[0].isupper()
            and (not first or word.endswith("'s"))
            and word.partition("'")[0].casefold() not in stop
        ):
            names.add(fold(word.removesuffix("'s"))[:MAX_TERM])
        first = word is None
    return names


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
