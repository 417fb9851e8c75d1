# ruff: noqa: RUF001 - characters of other scripts are meant
"""Words of a text, and their form for comparison."""

from __future__ import annotations

import re
import unicodedata
from typing import cast

import regex

_CJK = "\u3040-\u30ff\u3400-\u9fff々"
_MARKS = (  # vowel signs and the like, which are no \w, of the scripts written with blanks
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u103e\u200c\u200d"
)
_LETTER = rf"[^\W\d_{_CJK}]"
_BREAKS = ".!?…,;:()\n\r—–。！？、，；：।،؛؟"
_WORDS = re.compile(
    rf"[{_CJK}]"  # no blanks there: every character is a unit
    rf"|(?:[cdjlmnst]|qu)'(?={_LETTER})"  # French elision: the article apart from its noun
    r"|'s(?!\w)"  # English genitive and "is": apart from the word before
    rf"|[^\W{_CJK}](?:[^\W{_CJK}]|[{_MARKS}])*(?:'(?!s(?!\w)){_LETTER}+)*"
    rf"|[{_BREAKS}]+",
    re.IGNORECASE,
)
_FULL_STOPS = frozenset(".!?…\n\r。！？।؟")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})
_ACCENTS = regex.compile(r"(?<=[\p{Latin}\p{Arabic}])[\p{Mn}--\u0653]++", regex.V1)
_ARABIC = str.maketrans({"ى": "ي", "ة": "ه", "ـ": None, "ٱ": "ا", "ؤ": "و", "ئ": "ي"})


def normalise(text: str) -> str:
    """NFKC with one kind of apostrophe: what `split` expects."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)


def split(text: str) -> list[str]:
    """Words, CJK characters and runs of clause punctuation, in order."""
    return cast("list[str]", _WORDS.findall(text))


def fold(word: str) -> str:
    """Lower case; Latin without accents, Arabic without vowel signs and letter variants."""
    lowered = word.lower()
    if lowered.isascii() or is_cjk(lowered[0]):
        return lowered
    bare = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", lowered)))
    return bare.translate(_ARABIC).replace("ß", "ss")


def is_break(token: str) -> bool:
    """Whether a token of `split` is punctuation, which ends a clause."""
    return token[0] in _BREAKS


def ends_sentence(token: str) -> bool:
    """Whether punctuation ends a sentence, too."""
    return not _FULL_STOPS.isdisjoint(token)


def is_cjk(char: str) -> bool:
    """Whether the character belongs to a script written without blanks (Han, kana)."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or char == "々"
