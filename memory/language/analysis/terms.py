"""The terms of documents and queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, repeat

from ..detect import FALLBACK, function_words, function_words_of, language_of_clean
from ..fold import clean, fold
from ..registry import from_packs, packs
from ..scripts import HANGUL, UNSPACED
from .parts import MAX_TERM, parts_of
from .stems import ALGORITHMS, stem, stemming_language
from .unspaced import hangul_terms, unspaced_terms

_START = r"(?:^|(?<=[.!?\u2026:;\n\"\u201c\u00ab(\u00bf\u00a1])|(?<=[.!?\u2026:;] ))"


@from_packs
def namesakes() -> frozenset[str]:
    """First names, with their capital, that are function words of some language."""
    stop = frozenset[str]().union(*function_words().values())
    names = {name.casefold() for pack in packs().values() for name in pack.requests.name}
    return frozenset(name.title() for name in names & stop)


def pronouns_lowered(text: str, language: str) -> str:
    """`text` with the pronouns that begin a sentence in small letters, so that they are no names.

    A sentence of a language may begin with the pronoun or with the name; the pronoun is likelier.
    """
    leading = _leading().get(language)
    return leading.sub(lambda found: found[0].lower(), text) if leading else text


@from_packs
def _leading() -> Mapping[str, re.Pattern[str]]:
    """What begins a sentence, for each language in which a namesake is a function word."""
    found = {}
    for code, stop in function_words().items():
        if own := sorted(name for name in namesakes() if name.casefold() in stop):
            found[code] = re.compile(rf"{_START}(?:{'|'.join(own)})\b")
    return found


MAX_TERMS = 2_000
"""Most terms of a document."""

_CHUNKS = re.compile(f"[{UNSPACED}]+|[{HANGUL}]+|[^\\s{UNSPACED}{HANGUL}]+")
_UNBROKEN = re.compile(f"[{UNSPACED}{HANGUL}]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_LONG_CHUNK = re.compile(f"\\S{{{MAX_TERM + 1}}}")
_SHORT = 1000
"""A text of this many characters never has more than `MAX_TERMS` terms."""


@dataclass(frozen=True, slots=True)
class IndexTerms:
    """The terms of a document."""

    language: str
    """`language_of` the text; its stop words and stemmer were used."""
    terms: tuple[str, ...]
    """In order of the text, with repetitions, at most `MAX_TERMS`."""


def index_terms(text: str) -> IndexTerms:
    """The terms of a document. Never fails; only the beginning of a long text is read."""
    cleaned = clean(text)
    language = language_of_clean(cleaned)
    cleaned = pronouns_lowered(cleaned, language)
    if len(cleaned) <= _SHORT and cleaned.isascii() and not _LONG_CHUNK.search(cleaned):
        # The fast path for most memories: a request waits while an index is built.
        found = map(_remembered(), repeat(language), repeat(language), cleaned.split())
        return IndexTerms(language, tuple(chain.from_iterable(found)))
    terms: list[str] = []
    for chunk in _chunks(cleaned):
        terms += _terms_of(language, language, chunk)
        if len(terms) >= MAX_TERMS:
            break
    return IndexTerms(language, tuple(terms[:MAX_TERMS]))


def stored_terms(text: str) -> tuple[str, ...]:
    """The `Analyzer` (memory/model/ports.py) for keyword search in a store.

    All processes must use the same analyzer, or one does not find what another stored.
    """
    return index_terms(text).terms


def query_terms(text: str, languages: Collection[str]) -> list[str]:
    """Distinct terms of a query, analysed like documents of these languages.

    The query is analysed once for each language of the documents, its own first if it is among
    them, because the language of a short text is uncertain. Function words of the query's own
    language are always left out.
    """
    cleaned = clean(text)
    own = language_of_clean(cleaned)
    chunks = _chunks(pronouns_lowered(cleaned, own))
    plain = cleaned.isascii() and not _LONG_CHUNK.search(cleaned)
    terms: dict[str, None] = {}
    for language in _analyses(own, languages):
        terms_of = _remembered() if plain else _terms_of
        found = map(terms_of, repeat(language), repeat(own), chunks)
        terms.update(dict.fromkeys(chain.from_iterable(found)))
        if len(terms) >= MAX_TERMS:
            break
    return list(terms)[:MAX_TERMS]


def _analyses(own: str, languages: Collection[str]) -> list[str]:
    """The languages with different rules; languages without rules share the fallback's."""
    wanted = {_rules(language) for language in languages} or {_rules(own)}
    if len(wanted) == 1:
        return list(wanted)
    return sorted(wanted, key=lambda language: (language != own, language))


def _rules(language: str) -> str:
    return language if language in ALGORITHMS or language in function_words() else FALLBACK


def _chunks(text: str) -> list[str]:
    if text.isascii() or not _UNBROKEN.search(text):
        return text.split()
    return _CHUNKS.findall(text)


def _terms_of(language: str, own: str, chunk: str) -> tuple[str, ...]:
    """The terms of a chunk. Runs without blanks are not cached: they rarely repeat."""
    if len(chunk) > MAX_TERM or (not chunk.isascii() and _UNSPACED.match(chunk)):
        return tuple(islice(_analysed(language, own, chunk), MAX_TERMS))
    return _remembered()(language, own, chunk)


@from_packs
def _remembered() -> Callable[[str, str, str], tuple[str, ...]]:
    """The terms of a chunk; other packs bring another cache."""

    @lru_cache(maxsize=16_384)
    def terms(language: str, own: str, chunk: str) -> tuple[str, ...]:
        return tuple(_analysed(language, own, chunk))

    return terms


def _analysed(language: str, own: str, chunk: str) -> Iterator[str]:
    if _UNSPACED.match(chunk):
        yield from unspaced_terms(chunk)
    elif _HANGUL.match(chunk):
        yield from hangul_terms(chunk)
    else:
        stop, other = function_words_of(own), function_words_of(language)
        for word in parts_of(chunk):
            lowered = word.casefold()
            if word in _capitals() or not (lowered in stop or lowered in other):
                yield from _forms(language, word)


@from_packs
def _capitals() -> frozenset[str]:
    """Words that are function words only in other capitals: a month, a name, a country."""
    return namesakes().union(word for pack in packs().values() for word in pack.words.capitals)


def _forms(language: str, word: str) -> Iterator[str]:
    """The stem of a word as written, and the stem without accents if that differs."""
    lowered = word.casefold()
    rules = stemming_language(language, lowered)
    written = fold(stem(rules, lowered))[:MAX_TERM]
    if written:
        yield written
    if not lowered.isascii():
        plain = fold(stem(rules, fold(lowered)))[:MAX_TERM]
        if plain and plain != written:
            yield plain
