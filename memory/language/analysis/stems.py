"""Stemming with Snowball's algorithms and tables of irregular forms."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..detect import UNKNOWN, languages_by_script, main_language
from ..registry import from_packs, packs
from ..scripts import script_of

if TYPE_CHECKING:
    import Stemmer

ALGORITHMS = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "pt": "portuguese",
    "it": "italian", "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian",
    "fi": "finnish", "pl": "polish", "cs": "czech", "ro": "romanian", "hu": "hungarian",
    "tr": "turkish", "ca": "catalan", "id": "indonesian", "ru": "russian",
    "ar": "arabic", "fa": "persian", "hi": "hindi", "el": "greek", "ta": "tamil",
    "hy": "armenian", "et": "estonian", "lt": "lithuanian", "sr": "serbian", "ga": "irish",
    "eu": "basque", "ne": "nepali", "yi": "yiddish", "eo": "esperanto",
}  # fmt: skip
"""Snowball's algorithm by language, of those too that have no pack yet."""


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
    if _scripts().get(language, "latin") == script:
        return language
    return main_language(script)


@from_packs
def _scripts() -> Mapping[str, str]:
    known = {code: script for script, codes in languages_by_script().items() for code in codes}
    return known | {UNKNOWN: ""}


@from_packs
def _irregular() -> Mapping[str, Mapping[str, str]]:
    """Form to base form, by language."""
    known = {code: pack.words.irregular for code, pack in packs().items()}
    return {code: {form: row[0] for row in rows for form in row[1:]}
            for code, rows in known.items() if rows}  # fmt: skip


def stem(language: str, word: str) -> str:
    """The stem of a lower-case word; identifiers and numbers are not changed."""
    if word.isascii() and not word.isalpha():
        return word
    if language in _irregular():
        word = _irregular()[language].get(word, word)
    algorithm = ALGORITHMS.get(language)
    return _stemmer(language, algorithm).stemWord(word) if algorithm else word


def _stemmer(language: str, algorithm: str) -> Stemmer.Stemmer:
    found = _local.by_language.get(language)
    if found is None:
        import Stemmer

        # Without its own cache: `terms` caches whole chunks.
        found = _local.by_language[language] = Stemmer.Stemmer(algorithm, 0)
    return found
