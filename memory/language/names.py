"""Names in a text, recognised by capital letters."""

from __future__ import annotations

import regex

from .analysis.parts import MAX_TERM
from .detect import language_of_clean
from .fold import clean, fold
from .function_words import FALLBACK, function_words_of
from .registry import from_packs, packs
from .scripts import UNSPACED

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
    found = _speaker().match(clean(text[:200]))
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
        if word and (not first or word.endswith("'s")) and _is_name(word, stop):
            names.add(fold(word.removesuffix("'s"))[:MAX_TERM])
        first = word is None
    return names


def _is_name(word: str, stop: frozenset[str]) -> bool:
    return word[0].isupper() and word.partition("'")[0].casefold() not in stop
