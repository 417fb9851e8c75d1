"""Text to terms: what a document is indexed under and what a query looks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, repeat

from .fold import clean, fold
from .languages import language_of_clean
from .scripts import HANGUL, UNSPACED
from .stems import ALGORITHMS, stem, stemming_language
from .stopwords import STOP
from .unspaced import hangul_terms, unspaced_terms
from .words import MAX_TERM, words_of

MAX_TERMS = 2_000
"""Terms of a document; what a memory is about stands before that."""

FALLBACK = "en"
"""Whose stop words and rules serve a language without its own, and text of no known language."""

_CONTENT = frozenset({"May", "Will", "US", "IT", "WHO"})
"""Function words but for their capitals: a month, a name, a country."""
_CHUNKS = re.compile(f"[{UNSPACED}]+|[{HANGUL}]+|[^\\s{UNSPACED}{HANGUL}]+")
_UNBROKEN = re.compile(f"[{UNSPACED}{HANGUL}]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_LONG_CHUNK = re.compile(f"\\S{{{MAX_TERM + 1}}}")
_SHORT = 1000
"""Characters that never give more than `MAX_TERMS` terms."""


@dataclass(frozen=True, slots=True)
class IndexTerms:
    """What a document is found by."""

    language: str
    """`language_of` the text: whose stop words and stems its terms were made with."""
    terms: tuple[str, ...]
    """In order, as often as they occur, at most `MAX_TERMS`."""


def index_terms(text: str) -> IndexTerms:
    """The terms of a document. Never fails; of a long text the beginning counts."""
    cleaned = clean(text)
    language = language_of_clean(cleaned)
    if len(cleaned) <= _SHORT and cleaned.isascii() and not _LONG_CHUNK.search(cleaned):
        # Most memories: somebody waits while an index of a thousand of them is built.
        found = map(_cached, repeat(language), repeat(language), cleaned.split())
        return IndexTerms(language, tuple(chain.from_iterable(found)))
    terms: list[str] = []
    for chunk in _chunks(cleaned):
        terms += _terms_of(language, language, chunk)
        if len(terms) >= MAX_TERMS:
            break
    return IndexTerms(language, tuple(terms[:MAX_TERMS]))


def stored_terms(text: str) -> tuple[str, ...]:
    """What a store keeps to search a memory's text for keywords: its `Analyzer` (memory/ports.py).

    Every process has to give a store the same one, or what one stores another does not find.
    """
    return index_terms(text).terms


def query_terms(text: str, languages: Collection[str]) -> list[str]:
    """Distinct terms of a query as they would stand in documents of these languages.

    The query is analysed once for each stemmer that the documents used, its own language first
    if it is among them: a short query's language is uncertain, and so is a short document's.
    Function words of the query's own language are left out for all.
    """
    cleaned = clean(text)
    own = language_of_clean(cleaned)
    chunks = _chunks(cleaned)
    terms: dict[str, None] = {}
    for language in _analyses(own, languages):
        for chunk in chunks:
            terms.update(dict.fromkeys(_terms_of(language, own, chunk)))
        if len(terms) >= MAX_TERMS:
            break
    return list(terms)[:MAX_TERMS]


def _analyses(own: str, languages: Collection[str]) -> list[str]:
    """The languages whose rules differ; those without rules of their own share the fallback's."""
    wanted = {_rules(language) for language in languages} or {_rules(own)}
    return sorted(wanted, key=lambda language: (language != own, language))


def _rules(language: str) -> str:
    return language if language in ALGORITHMS or language in STOP else FALLBACK


def _chunks(text: str) -> list[str]:
    if text.isascii() or not _UNBROKEN.search(text):
        return text.split()
    return _CHUNKS.findall(text)


def _terms_of(language: str, own: str, chunk: str) -> tuple[str, ...]:
    """Cached for words; runs without blanks are as many as there are texts."""
    if len(chunk) > MAX_TERM or (not chunk.isascii() and _UNSPACED.match(chunk)):
        return tuple(islice(_analysed(language, own, chunk), MAX_TERMS))
    return _cached(language, own, chunk)


@lru_cache(maxsize=16_384)
def _cached(language: str, own: str, chunk: str) -> tuple[str, ...]:
    return tuple(_analysed(language, own, chunk))


def _analysed(language: str, own: str, chunk: str) -> Iterator[str]:
    if _UNSPACED.match(chunk):
        yield from unspaced_terms(chunk)
    elif _HANGUL.match(chunk):
        yield from hangul_terms(chunk)
    else:
        stop = _stop_words(own, language)
        for word in words_of(chunk):
            if word in _CONTENT or word.casefold() not in stop:
                yield from _forms(language, word)


@lru_cache(maxsize=256)
def _stop_words(own: str, language: str) -> frozenset[str]:
    return STOP.get(own, STOP[FALLBACK]) | STOP.get(language, STOP[FALLBACK])


def _forms(language: str, word: str) -> Iterator[str]:
    """A word's stems: as it is written, and as it is written by those who leave out accents."""
    lowered = word.casefold()
    rules = stemming_language(language, lowered)
    written = fold(stem(rules, lowered))[:MAX_TERM]
    if written:
        yield written
    if not lowered.isascii():
        plain = fold(stem(rules, fold(lowered)))[:MAX_TERM]
        if plain and plain != written:
            yield plain
