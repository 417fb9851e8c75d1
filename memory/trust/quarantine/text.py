# ruff: noqa: RUF001 - punctuation and letters of other scripts are meant
"""Normalises text for the judge's comparisons."""

from __future__ import annotations

import unicodedata

import regex

from .hidden import INVISIBLE, plain_letters

_MARKS = regex.compile(r"[\u0300-\u036f\u064b-\u0652\u0670\u0640\u093c]")
_ARABIC = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ؤ": "و", "ئ": "ي"})
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_SENTENCE_END = regex.compile(r"[.!?…](?=[\s\p{Pe}\p{Pf}'\"]|$)|[。！？؟।;；\n]+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー]+")
_STEM = 5
"""Letters of a word that are compared, so that endings do not matter."""
_MIN_WORD = {"LATIN": 4, "CYRILLIC": 4}
_SHORTEST = 3


def normalise(text: str) -> str:
    """`text` in one form: NFKC, no invisible characters or marks, plain letters, case folded."""
    visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    folded = plain_letters(visible).casefold()
    bare = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare).translate(_ARABIC)


def spaced(text: str) -> str:
    """The words of a normalised text with one space before, between and after them."""
    return f" {' '.join(_WORD.findall(text))} "


def sentences(text: str) -> list[str]:
    """The sentences and lines of `text`, without empty ones."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def content(text: str) -> frozenset[str]:
    """Stems of a normalised text's longer words, and bigrams of unspaced characters."""
    found: set[str] = set()
    for run in _UNSPACED.findall(text):
        found.update(run[i : i + 2] for i in range(len(run) - 1))
    for word in _WORD.findall(_UNSPACED.sub(" ", text)):
        if len(word) >= _shortest(word):
            found.add(word[:_STEM])
    return frozenset(found)


def _shortest(word: str) -> int:
    script = unicodedata.name(word[0], "").split(" ", 1)[0]
    return _MIN_WORD.get(script, _SHORTEST)
