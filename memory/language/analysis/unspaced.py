"""Overlapping character n-grams for scripts without blanks between words, and for Korean.

They need no dictionary. Single Han characters are terms too, since many are words ("cat").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from ..registry import from_packs, packs
from ..scripts import HAN, HIRAGANA, KATAKANA

_RUNS = re.compile(
    f"(?P<kana>[{KATAKANA}]+)|(?P<han>[{HAN}{HIRAGANA}]+)|(?P<other>.+?(?=[{KATAKANA}{HAN}{HIRAGANA}]|$))",
    re.DOTALL,
)
_IS_HAN = re.compile(f"[{HAN}]")
_CLUSTERS = regex.compile(r"\X")


@from_packs
def _stop_characters() -> frozenset[str]:
    return frozenset(
        char for pack in packs().values() for char in "".join(pack.words.stop_characters)
    )


@from_packs
def _stop_pairs() -> frozenset[str]:
    return frozenset(pair for pack in packs().values() for pair in pack.words.stop_pairs)


def unspaced_terms(run: str) -> Iterator[str]:
    """Terms of a run of Han, kana, Thai, Lao, Khmer or Burmese characters."""
    for found in _RUNS.finditer(run):
        part = found[0]
        if found.lastgroup == "kana":
            yield from _katakana(part)
        elif found.lastgroup == "han":
            yield from _han(part)
        else:
            yield from _ngrams(_CLUSTERS.findall(part), 2)


def hangul_terms(word: str) -> Iterator[str]:
    """Syllable bigrams of one Korean word, and the first syllable of a short word.

    The second syllable of a short word is mostly a particle: "집에" must match "집".
    """
    if len(word) <= 2:  # noqa: PLR2004 - two syllables
        yield word[0]
    if len(word) > 1:
        yield from (two for two in _ngrams(word, 2) if two not in _stop_pairs())


def _katakana(run: str) -> Iterator[str]:
    """A loan word, and its trigrams for the parts of a compound."""
    word = run.strip("・")
    word = word[:-1] if len(word) > 3 and word[-1] == "ー" else word  # noqa: PLR2004
    if word:
        yield word
    if len(word) > 3:  # noqa: PLR2004 - longer than the trigram
        yield from _ngrams(word, 3)


def _han(run: str) -> Iterator[str]:
    characters, pairs = _stop_characters(), _stop_pairs()
    for char in run:
        if char not in characters and _IS_HAN.match(char):
            yield char
    if len(run) == 1:
        return
    for two in _ngrams(run, 2):
        if two not in pairs and not (two[0] in characters and two[1] in characters):
            yield two


def _ngrams(units: str | list[str], size: int) -> Iterator[str]:
    for start in range(max(1, len(units) - size + 1)):
        yield "".join(units[start : start + size])
