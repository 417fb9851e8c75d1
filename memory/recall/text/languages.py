"""Guesses the language of a text by its script, and by common words for shared scripts."""

from __future__ import annotations

import re
from collections import Counter

from ...language.fold import clean
from .hints import HINTS, LETTERS
from .scripts import is_all_latin, letters_by_script
from .stopwords import STOP

SAMPLE = 600
"""Characters that are read: a hundred words are enough."""

UNKNOWN = "und"
"""ISO 639-2 for "undetermined"; Latin text of this language is analysed as English."""

_OF_SCRIPT = {
    "kana": "ja", "han": "zh", "hangul": "ko", "devanagari": "hi", "greek": "el",
    "hebrew": "he", "thai": "th", "lao": "lo", "burmese": "my", "khmer": "km", "tamil": "ta",
    "armenian": "hy",
}  # fmt: skip
_CYRILLIC = ("ru", "uk")
_ARABIC = ("ar", "fa")
_BY_WORDS = {
    "cyrillic": _CYRILLIC,
    "arabic": _ARABIC,
    "latin": tuple(one for one in STOP if one not in {*_CYRILLIC, *_ARABIC, "hi", "el"}),
}
_FIRST = {"cyrillic": "ru", "arabic": "ar", "latin": UNKNOWN}
"""The language of a text without known words, by script."""
_EVIDENCE = {"en": 0.0} | dict.fromkeys(("de", "es", "fr", "pt", "it", "nl", "ru", "ar"), 0.6)
_LITTLE_EVIDENCE = 1.3
"""The least score for a language that `_EVIDENCE` does not list. One Romanian word ("care") is not
enough: queries in the right language would not find a text that was taken for Romanian."""
_WORDS = re.compile(r"[^\W\d_]+")
_OWN_LETTERS = re.compile(f"[{''.join(LETTERS)}]")
_TO_BLANKS = str.maketrans({code: " " for code in range(128) if not chr(code).isalpha()})


def _owners(languages: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Languages by common word; equal tuples are one object."""
    owners: dict[str, tuple[str, ...]] = {}
    for language in languages:
        for word in STOP[language] | HINTS.get(language, frozenset()):
            owners[word] = (*owners.get(word, ()), language)
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    return {word: shared.setdefault(own, own) for word, own in owners.items()}


_OWNERS = {script: _owners(languages) for script, languages in _BY_WORDS.items()}


def language_of(text: str) -> str:
    """The most likely language (ISO 639-1: 'en', 'de', 'zh', ...), or 'und' without evidence."""
    return language_of_clean(clean(text))


def language_of_clean(text: str) -> str:
    """`language_of` for a text that is already clean."""
    sample = text[:SAMPLE]
    if is_all_latin(sample):
        return _by_words("latin", sample.lower())
    script = _script(letters_by_script(sample))
    if script in _BY_WORDS:
        return _by_words(script, sample.lower())
    return _OF_SCRIPT.get(script, UNKNOWN)


def _script(counts: dict[str, int]) -> str:
    """The main script; Latin needs a clear majority, since other texts contain Latin names."""
    others = {name: count for name, count in counts.items() if name != "latin"}
    if not others or sum(others.values()) * 4 < counts.get("latin", 0):
        return "latin"
    if "kana" in others and others["kana"] * 10 >= others.get("han", 0):
        return "kana"
    return max(others, key=lambda name: others[name])


def _by_words(script: str, lowered: str) -> str:
    scores = _scores(script, lowered)
    if not scores:
        return _FIRST[script]
    best = max(scores, key=scores.__getitem__)
    enough = scores[best] >= _EVIDENCE.get(best, _LITTLE_EVIDENCE)
    ambiguous = scores.get("en") == scores[best] and list(scores.values()).count(scores[best]) > 1
    return best if enough and not ambiguous else _FIRST[script]


def _scores(script: str, lowered: str) -> dict[str, float]:
    """Scores by language: a word or letter of n languages adds 1/n to each."""
    owners = _OWNERS[script]
    seen = Counter(map(owners.get, _words(lowered)))
    if not lowered.isascii():
        letters = (LETTERS[letter] for letter in set(_OWN_LETTERS.findall(lowered)))
        seen.update(own for own in letters if own[0] in _BY_WORDS[script])
    scores: dict[str, float] = {}
    for languages, times in seen.items():
        for language in languages or ():
            scores[language] = scores.get(language, 0.0) + times / len(languages or ())
    return scores


def _words(lowered: str) -> list[str]:
    """Runs of letters; for ASCII by splitting, which is three times as fast."""
    if lowered.isascii():
        return lowered.translate(_TO_BLANKS).split()
    return _WORDS.findall(lowered)
