# ruff: noqa: RUF001
"""Splits a text into words: where every reader of language begins.

Scripts that are written without blanks (Han, kana) have a word for each character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

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
    rf"([{UNSPACED}]"
    rf"|(?:[cdjlmnst]|qu){_APOSTROPHE}(?={_LETTER})"  # French elision, Italian article
    rf"|{_APOSTROPHE}s(?!\w)"  # English genitive and "is": apart from the word before
    rf"|[^\W{UNSPACED}](?:[^\W{UNSPACED}]|[{_INSIDE}])*(?:{_APOSTROPHE}(?!s(?!\w)){_LETTER}+)*)"
    rf"|([{_BREAKS}]++)(?!\w)|([{_BREAKS}]++)",
    re.IGNORECASE,
)
"""A word, or punctuation: before no word and before one."""
_ASCII_TOKEN = re.compile(
    r"((?:[cdjlmnst]|qu)'(?=[a-z])|'s(?!\w)|\w+(?:'(?!s(?!\w))[a-z]+)*)"
    r"|([.!?,;:()\n\r]++)(?!\w)|([.!?,;:()\n\r]++)",
    re.IGNORECASE | re.ASCII,
)
"""`_TOKEN` as far as ASCII goes, which most texts are, in a third of its time."""
_FIRST_UNSPACED = "々"
_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")
_STOPS = frozenset("\n\r。！？।؟｡．")
"""They end a sentence wherever they stand."""
_STOPS_APART = _STOPS | frozenset(".!?…")
"""They end one if no word stands right behind: "3.5" and "e.g" go on."""
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇", "'"))
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
KEPT_CHARS = 4_000
"""Longest text whose words are kept for a moment: a turn is read by several readers."""
_KEPT = 128


class Words:
    """The words of `text`. `raw`, `folded`, `starts`, `ends` are parallel; nobody changes them."""

    __slots__ = ("_spans", "clause_starts", "folded", "raw", "sentences", "text")

    def __init__(
        self,
        text: str,
        raw: Sequence[str],
        folded: Sequence[str],
        clause_starts: frozenset[int],
        sentences: Sequence[tuple[int, int]],
    ) -> None:
        self.text = text
        self.raw = raw
        """As written."""
        self.folded = folded
        """As compared: see `fold`."""
        self.clause_starts = clause_starts
        """Indexes of the words that follow punctuation, and 0."""
        self.sentences = sentences
        """The first word of each sentence and the one behind it; a line end ends a sentence."""
        self._spans: tuple[Sequence[int], Sequence[int]] | None = None

    @property
    def starts(self) -> Sequence[int]:
        """Where each begins in `text`, in characters."""
        return self._placed()[0]

    @property
    def ends(self) -> Sequence[int]:
        """Where each ends."""
        return self._placed()[1]

    def _placed(self) -> tuple[Sequence[int], Sequence[int]]:
        """Read when it is asked for: most readers do not."""
        if self._spans is None:
            tokens = _token_of(self.text).finditer(self.text)
            spans = [token.span() for token in tokens if token.lastindex == 1]
            self._spans = [start for start, _ in spans], [end for _, end in spans]
        return self._spans


def words_of(text: str) -> Words:
    """The words of any text, in linear time."""
    return _remembered(text) if len(text) <= KEPT_CHARS else _words(text)


def _token_of(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def _words(text: str) -> Words:
    tokens = _token_of(text).findall(text)
    raw = [word for word, _, _ in tokens if word]
    clauses, sentences, first, at = {0}, [], 0, 0
    for word, apart, close in tokens:  # no call for a word: every text is read here
        if word:
            at += 1
            continue
        clauses.add(at)
        if at > first and not (_STOPS_APART.isdisjoint(apart) and _STOPS.isdisjoint(close)):
            sentences.append((first, at))
            first = at
    if at > first:
        sentences.append((first, at))
    return Words(text, raw, _folded(raw, text), frozenset(clauses), sentences)


def _folded(raw: list[str], text: str) -> list[str]:
    if not text.isascii():
        return list(map(folded_word, raw))
    return " ".join(raw).lower().split(" ") if raw else []


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
    return word >= _FIRST_UNSPACED and _UNSPACED_CHARACTER.match(word) is not None


def unspaced_in(text: str) -> int:
    """How many characters of scripts without blanks a text has."""
    return 0 if text.isascii() else len(_UNSPACED_CHARACTER.findall(text))


def folded_words(text: str) -> list[str]:
    """The folded words of a short text, such as a term."""
    return [folded_word(word) for word, _, _ in _TOKEN.findall(text) if word]


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
    ends = [match.end() for match in _END.finditer(text)]
    if not ends:
        return [text] if text else []
    found = [text[at:end] for at, end in pairwise((0, *ends))]
    return [*found, text[ends[-1] :]] if ends[-1] < len(text) else found


_QUESTION_MARKS = ("?", "？", "؟")


def is_question(sentence: str) -> bool:
    """Whether it asks."""
    return sentence.rstrip(" \t\n\"'”’»)*_").endswith(_QUESTION_MARKS)


def may_ask(text: str) -> bool:
    """Whether a sentence of it may be a question: a quick look."""
    return any(mark in text for mark in _QUESTION_MARKS)
