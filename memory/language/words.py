# ruff: noqa: RUF001
"""Splits a text into words: where every reader of language begins.

Scripts that are written without blanks (Han, kana) have a word for each character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .fold import fold

UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f々"
"""Characters that are a word each, as the inside of a character class."""
_INSIDE = (  # marks and invisible characters, which are no \w but belong to a word
    "\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u103e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
)
_APOSTROPHE = "['’‘ʼ＇]"
_LETTER = rf"[^\W\d_{UNSPACED}]"
_BREAKS = ".!?…,;:()\\n\\r—–。！？、，；：։।،؛؟｡．"
_TOKEN = re.compile(
    rf"(?P<character>[{UNSPACED}])"
    rf"|(?P<word>(?:[cdjlmnst]|qu){_APOSTROPHE}(?={_LETTER})"  # French elision, Italian article
    rf"|{_APOSTROPHE}s(?!\w)"  # English genitive and "is": apart from the word before
    rf"|[^\W{UNSPACED}](?:[^\W{UNSPACED}]|[{_INSIDE}])*(?:{_APOSTROPHE}(?!s(?!\w)){_LETTER}+)*)"
    rf"|[{_BREAKS}]+",
    re.IGNORECASE,
)
_ASCII_TOKEN = re.compile(
    r"(?P<word>(?:[cdjlmnst]|qu)'(?=[a-z])|'s(?!\w)|\w+(?:'(?!s(?!\w))[a-z]+)*)|[.!?,;:()\n\r]+",
    re.IGNORECASE | re.ASCII,
)
"""`_TOKEN` as far as ASCII goes, which most texts are, in a third of its time."""
_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")
_FULL_STOP = re.compile(r"[.!?…](?=\W*(?:\s|$))|[\n\r。！？।؟｡．]")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇", "'"))
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
KEPT_CHARS = 4_000
"""Longest text whose words are kept for a moment: a turn is read by several readers."""
_KEPT = 128


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of `text`. All sequences but the last two are parallel; nobody changes them."""

    text: str
    raw: Sequence[str]
    """As written."""
    folded: Sequence[str]
    """As compared: see `fold`."""
    starts: Sequence[int]
    """Where each begins in `text`, in characters."""
    ends: Sequence[int]
    clause_starts: frozenset[int]
    """Indexes of the words that follow punctuation, and 0."""
    sentences: Sequence[tuple[int, int]]
    """The first word of each sentence and the one behind it; a line end ends a sentence."""


def words_of(text: str) -> Words:
    """The words of any text, in linear time."""
    return _remembered(text) if len(text) <= KEPT_CHARS else _words(text)


def _words(text: str) -> Words:
    raw: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    clauses, sentences, first = {0}, [], 0
    is_ascii = text.isascii()
    for token in (_ASCII_TOKEN if is_ascii else _TOKEN).finditer(text):
        start, end = token.span()
        if token.lastgroup:
            raw.append(text[start:end])
            starts.append(start)
            ends.append(end)
            continue
        clauses.add(len(raw))
        if len(raw) > first and _FULL_STOP.search(text, start, end + 1):
            sentences.append((first, len(raw)))
            first = len(raw)
    if len(raw) > first:
        sentences.append((first, len(raw)))
    folded = [word.lower() for word in raw] if is_ascii else list(map(folded_word, raw))
    return Words(text, raw, folded, starts, ends, frozenset(clauses), sentences)


_remembered = lru_cache(maxsize=_KEPT)(_words)


@lru_cache(maxsize=16_384)
def folded_word(word: str) -> str:
    """A word as `Words` and terms hold it: NFKC, one kind of apostrophe, nothing invisible."""
    if word.isascii():
        return word.lower()
    seen = _INVISIBLE.sub("", word.translate(_APOSTROPHES))
    return fold(unicodedata.normalize("NFKC", seen))


def is_unspaced(word: str) -> bool:
    """Whether a word of `Words` is one character of a script without blanks."""
    return _UNSPACED_CHARACTER.match(word) is not None


def folded_words(text: str) -> list[str]:
    """The folded words of a short text, such as a term."""
    return [folded_word(token[0]) for token in _TOKEN.finditer(text) if token.lastgroup]


def forget_texts() -> None:
    """Clear the cache of texts; for benchmarks."""
    _remembered.cache_clear()


_END = re.compile(
    r"(?<![.!?…])(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[a-z]\.[a-zA-Z])[.!?…؟]++[\"'”’»)\]*_]*+\s++"
    r"|[。！？।۔։။។]++[」』”）]*+\s*+"
    # Without a space before the next sentence, as people type in scripts that have none.
    r"|[!?]++[」』”）]*+(?=[\u3040-\u30ff\u4e00-\u9fff])"
    r"|\n\s*+"
)
"""A boundary belongs to the sentence before it. "St. Olav" and "e.g. tea" have none."""


def sentences(text: str) -> list[str]:
    """Sentences and lines with their boundaries."""
    found, at = [], 0
    for match in _END.finditer(text):
        found.append(text[at : match.end()])
        at = match.end()
    return [*found, text[at:]] if at < len(text) else found


_QUESTION_MARKS = ("?", "？", "؟")


def is_question(sentence: str) -> bool:
    """Whether it asks."""
    return sentence.rstrip(" \t\n\"'”’»)*_").endswith(_QUESTION_MARKS)


def may_ask(text: str) -> bool:
    """Whether a sentence of it may be a question: a quick look."""
    return any(mark in text for mark in _QUESTION_MARKS)
