"""Stemming with Snowball's algorithms and a table of irregular English forms."""

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
"""Snowball's algorithm by language."""

_OF_SCRIPT = {"latin": "en", "cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "greek": "el",
              "tamil": "ta", "armenian": "hy"}  # fmt: skip
_SCRIPT = {"ru": "cyrillic", "uk": "cyrillic", "ar": "arabic",
           "fa": "arabic", "hi": "devanagari", "el": "greek",
           "ta": "tamil", "hy": "armenian", "he": "hebrew", "zh": "han", "ja": "kana",
           "ko": "hangul", "th": "thai", "lo": "lao", "my": "burmese", "km": "khmer",
           "und": ""}  # fmt: skip


class _Stemmers(threading.local):
    """Stemmers of one thread: PyStemmer objects keep a buffer and must not be shared."""

    def __init__(self) -> None:
        self.by_language: dict[str, Stemmer.Stemmer] = {}


_local = _Stemmers()


def stemming_language(language: str, word: str) -> str:
    """The language of the text, or the default of the word's own script if that is another.

    An English word in a Chinese or Russian text is stemmed as English, and so is Latin script in an
    unknown language.
    """
    script = script_of(word)
    if _SCRIPT.get(language, "latin") == script:
        return language
    return _OF_SCRIPT.get(script, "")


def stem(language: str, word: str) -> str:
    """The stem of a lower-case word; identifiers and numbers are not changed."""
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

        # Without its own cache: `terms` caches whole chunks.
        found = _local.by_language[language] = Stemmer.Stemmer(algorithm, 0)
    return found
