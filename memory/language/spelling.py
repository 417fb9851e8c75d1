# ruff: noqa: RUF001
"""Compares two words across spellings: case, accents, umlauts, endings, scripts.

Names in one script are one only if they are written alike: Catherine is not Katherine. Across
scripts they are compared as they sound, by anyascii's transliteration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from .fold import clean, fold
from .names import sounds_of
from .registry import packs
from .scripts import script_of

_WIDE = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_ONLY = {"de": "s", "sv": "s", "da": "s", "no": "s", "id": "nya"}
"""The one ending of a name, where there is no other."""
_ENDING = 3
"""Most letters of an ending."""
_SURNAME = re.compile(r"[oeіиieо]?[vвw](?:[aаy])?$|[ieиое][nн]$|ин[аa]$")
"""What makes another name of it."""
_FLEETING = re.compile(r"(?<=\w)[eеёo]([^\Waeiouyаеёиоуыэюя])$")
"""The vowel of Marek that Marka has not."""
_COMPACT = frozenset({"han", "kana", "hangul"})
"""Scripts in which a name is written without a blank, a sound or two for each character."""
_FEW_VOWELS = frozenset({"arabic", "hebrew", "devanagari", "thai", "tamil", "lao", "burmese"})
_ALIKE, _ALIKE_CONSONANTS = 0.7, 0.5
"""Least likeness of two transliterations with the same consonants."""
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_LONG = re.compile(r"ou|oo|uu|oh(?![aeiou])")
_HEARD = str.maketrans({"g": "k", "d": "t", "b": "p", "r": "l"})
LEAST_COMPACT = 2
"""Characters of a name in a compact script: one alone is in many words."""


@lru_cache(maxsize=16_384)
def keys_of(word: str) -> frozenset[str]:
    """The word as it may be written in one script."""
    plain = clean(word).casefold()
    return frozenset({fold(plain), fold(plain.translate(_WIDE))})


@lru_cache(maxsize=16_384)
def is_same_word(one: str, other: str, languages: frozenset[str]) -> bool:
    """Whether two words are spellings of one, in texts of these languages."""
    if keys_of(one) & keys_of(other):
        return True
    here, there = script_of(fold(one)), script_of(fold(other))
    if here == "hangul" == there:
        return _is_one_in_korean(one, other)
    if here != there:
        return here not in _COMPACT and there not in _COMPACT and _sounds_alike(one, other)
    a, b = sorted((fold(clean(one)), fold(clean(other))), key=len)
    if here == "greek":  # Ελένη is not Έλενα
        a, b = sorted((clean(one).casefold(), clean(other).casefold()), key=len)
    return any(_is_form(a, b, language) for language in languages)


def _is_form(short: str, long: str, language: str) -> bool:
    """Whether one of two words of a script is the other one with the endings of a name."""
    pack = packs().get(language)
    if pack is None:
        return False
    if any(long == before + short for before in pack.words.attached):
        return True
    if not pack.words.inflects_names:
        return False
    if ending := _ONLY.get(language):
        return long == short + ending
    return any(_ends_apart(each, long) for each in {short, _FLEETING.sub(r"\1", short)})


def _in_common(one: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _ends_apart(short: str, long: str) -> bool:
    """Иван and Ивана, Анна and Анне; not Иван and Иванов, nor Novák and Nováková."""
    start = _in_common(short, long)
    less, more = sorted((short[start:], long[start:]), key=len)
    return (
        start >= LEAST_COMPACT
        and 2 * start >= len(long)
        and len(less) <= 1
        and len(more) <= _ENDING
        and not _SURNAME.search(more)
    )


def _is_one_in_korean(one: str, other: str) -> bool:
    """Whether two words differ by their particles only, as far as their syllables tell."""
    start = _in_common(one, other)
    longest = max(len(one), len(other))
    least = LEAST_COMPACT if min(len(one), len(other)) == LEAST_COMPACT else LEAST_COMPACT + 1
    return start >= least and longest - start <= LEAST_COMPACT


def is_compact(text: str) -> bool:
    """Whether a text is of a script in which a name has no blanks."""
    return script_of(text) in _COMPACT


def is_same_compact(words: Sequence[str], run: str) -> bool:
    """Whether words in another script say what stands somewhere in a run of a compact one."""
    script = script_of(run)
    orders = {"".join(words), "".join(reversed(words))}
    wanted = {_heard(_latin(each), script) for each in orders} - {""}
    signs = [_latin(sign) for sign in run] if script != "kana" else []
    if script == "kana":
        return _heard(_latin(run), script) in wanted
    return any(
        _heard("".join(signs[start:end]), script) in wanted
        for start in range(len(signs))
        for end in range(start + LEAST_COMPACT, min(len(signs), start + 6) + 1)
    )


def _heard(latin: str, script: str) -> str:
    if script == "hangul":
        return latin.replace("oe", "oi").translate(_HEARD)
    return _LONG.sub(lambda found: found[0][0], latin) if script == "kana" else latin


def _sounds_alike(one: str, other: str) -> bool:
    a, b = _latin(one), _latin(other)
    if a and a.replace("h", "") == b.replace("h", ""):
        return True
    sounds = sounds_of(one)
    if not sounds or sounds != sounds_of(other):
        return False
    few = {script_of(fold(one)), script_of(fold(other))} & _FEW_VOWELS
    likeness = SequenceMatcher(None, a, b, autojunk=False).ratio()
    return likeness >= (_ALIKE_CONSONANTS if few else _ALIKE)


@lru_cache(maxsize=16_384)
def _latin(word: str) -> str:
    if not word.isascii():
        from anyascii import anyascii  # its tables are read when a script is first met

        word = anyascii(word)
    return _NO_LETTERS.sub("", word.lower()).replace("dzh", "j")
