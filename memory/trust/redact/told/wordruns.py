# ruff: noqa: E501, RUF001, SIM905 - word lists and patterns of many scripts
"""Finds secrets made of plain words: passphrases, seed phrases, PINs in words."""

from __future__ import annotations

import regex

from ..formats.view import View
from .sentences import CLAUSE_END, NOT_A_VALUE, is_said_of_it

_DIGIT_WORDS = (
    "zero oh one two three four five six seven eight nine double triple null eins zwei drei vier funf sechs sieben acht neun uno dos tres cuatro cinco seis siete"
    " ocho nueve cero un deux trois quatre cinq sept huit neuf um dois duas quatro sete oito nove due tre quattro cinque sei otto nul een twee drie vijf zes zeven"
    " negen ноль один два три четыре пять шесть семь восемь девять शून्य एक दो तीन चार पांच पाँच छह सात आठ नौ صفر واحد اثنان اثنين ثلاثه اربعه خمسه سته سبعه ثمانيه تسعه"
)
_DIGITS = "|".join(sorted(_DIGIT_WORDS.split(), key=len, reverse=True))
_SPELLED = regex.compile(
    rf"(?:(?:{_DIGITS})(?:[\s,-]+|\b)){{3,16}}+|[零〇一二三四五六七八九]{{4,}}+"
)
_TURNS = regex.compile(
    r"\d{1,2} (?:to the )?(?:right|left|clockwise|rechts|links|derecha|izquierda|droite|gauche|direita|esquerda)"
    r"(?:[\s,]{1,3}(?:then |dann |luego |puis )?\d{1,2} (?:to the )?(?:right|left|clockwise|rechts|links|derecha|izquierda|droite|gauche|direita|esquerda)){1,4}"
)
_LETTERS = r"[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,20})?"
_RUN = regex.compile(rf"{_LETTERS}(?:\ {{1,2}}{_LETTERS}){{2,29}}+")
_SEED = regex.compile(
    r"(?:\(?\d{1,2}[.):]?\s{0,3})?[^\W\d_]{1,12}(?:[\s,;|]{1,4}(?:\(?\d{1,2}[.):]?\s{0,3})?[^\W\d_]{1,12}){5,23}+"
)
_LETTERS_ONLY = regex.compile(r"[^\W\d_]+")
_WORD = regex.compile(r"\S+")
_NUMBERED = regex.compile(r"\d{1,2}[.):]")
_MOST_FUNCTION = 0.34
_MIN_WORDS = 3
_MIN_SEED = 6
_ENDS = frozenset(
    "and but und aber y pero et mais e mas ma en maar и но for für please bitte".split()
)
_COUNTS = frozenset("one two three four five six seven eight nine ten".split())
_FUNCTION = NOT_A_VALUE - _COUNTS


def find_digit_words(low: str, start: int) -> int | None:
    """The end of at least three digit words, or of the turns of a lock; None without them."""
    match = _TURNS.match(low, start) or _SPELLED.match(low, start)
    return start + len(match.group().rstrip(" ,-\n")) if match else None


def find_phrase(view: View, start: int, *, named: bool) -> int | None:
    """The end of three or more words that are not a sentence; None without them.

    `named`: the noun names a phrase, which may contain some function words, commas and numbers.
    """
    if named:
        seed = _SEED.match(view.text, start)
        if seed and _is_list(seed.group()):
            return seed.end()
    match = _RUN.match(view.text, start)
    if match is None:
        return None
    low = view.low[start : match.end()]
    words = low.split()
    cut = next((i for i, word in enumerate(words) if word in _ENDS), len(words))
    end = match.end()
    if cut < len(words):
        end = start + _offset(low, cut)
        words = words[:cut]
    elif not CLAUSE_END.match(view.text, end):
        return None
    return end if _is_phrase(words, named=named) else None


def _offset(low: str, count: int) -> int:
    matches = list(_WORD.finditer(low))
    return matches[count - 1].end() if count else 0


def _is_phrase(words: list[str], *, named: bool) -> bool:
    if len(words) < _MIN_WORDS or (is_said_of_it(words[0]) and words[0] not in _COUNTS):
        return False
    function = sum(word in _FUNCTION for word in words)
    return function <= len(words) * _MOST_FUNCTION if named else function == 0


def _is_list(text: str) -> bool:
    """Whether enough words are listed, with few function words among them."""
    words = _LETTERS_ONLY.findall(text.lower())
    function = sum(word in NOT_A_VALUE for word in words)
    if is_said_of_it(words[0]) and not _NUMBERED.match(text):
        return False
    return len(words) >= _MIN_SEED and function <= len(words) * _MOST_FUNCTION
