"""Word to stem: Snowball's algorithms, and the English forms they cannot know."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from .irregular import IRREGULAR
from .scripts import script_of

if TYPE_CHECKING:
    import Stemmer

ALGORITHMS = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "pt": "portuguese",
    "it": "italian", "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian",
    "fi": "finnish", "pl": "polish", "cs": "czech", "ro": "romanian", "hu": "hungarian",
    "tr": "turkish", "ca": "catalan", "id": "indonesian", "ru": "russian",
    "ar": "arabic", "fa": "persian", "hi": "hindi", "el": "greek", "ta": "tamil",
    "hy": "armenian",
}  # fmt: skip
"""Snowball's algorithm of each language that has one."""

_OF_SCRIPT = {"latin": "en", "cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "greek": "el",
              "tamil": "ta", "armenian": "hy"}  # fmt: skip
_SCRIPT = {"ru": "cyrillic", "uk": "cyrillic", "ar": "arabic",
           "fa": "arabic", "hi": "devanagari", "el": "greek",
           "ta": "tamil", "hy": "armenian", "he": "hebrew", "zh": "han", "ja": "kana",
           "ko": "hangul", "th": "thai", "lo": "lao", "my": "burmese", "km": "khmer",
           "und": ""}  # fmt: skip


class _Stemmers(threading.local):
    """A thread's own: a PyStemmer object keeps a buffer, so two threads must not share one."""

    def __init__(self) -> None:
        self.by_language: dict[str, Stemmer.Stemmer] = {}


_local = _Stemmers()


def stemming_language(language: str, word: str) -> str:
    """Whose rules fit a word: the text's, or those of the word's own script if that is another.

    An English word in a Chinese or Russian text is stemmed as English, and so is Latin script of
    no known language.
    """
    script = script_of(word)
    if _SCRIPT.get(language, "latin") == script:
        return language
    return _OF_SCRIPT.get(script, "")


def stem(language: str, word: str) -> str:
    """A lower-case word's stem by a language's rules; identifiers and numbers stay as they are."""
    if word.isascii() and not word.isalpha():
        return word
    if language == "en":
        word = IRREGULAR.get(word, word)
    algorithm = ALGORITHMS.get(language)
    return _stemmer(language, algorithm).stemWord(word) if algorithm else word


def _stemmer(language: str, algorithm: str) -> Stemmer.Stemmer:
    found = _local.by_language.get(language)
    if found is None:
        import Stemmer

        # No cache of its own: the terms of a chunk are cached as a whole.
        found = _local.by_language[language] = Stemmer.Stemmer(algorithm, 0)
    return found
