"""Function words of each language, which say nothing about a text's subject."""

from __future__ import annotations

from collections.abc import Mapping

from .fold import fold
from .pack import LanguagePack
from .registry import from_packs, packs

FALLBACK = "en"
"""Its words and rules are used for languages without their own and for unknown languages."""


@from_packs
def function_words() -> Mapping[str, frozenset[str]]:
    """Function words in lower case, for each language that has any.

    They stand with their accents; where these are often left out, without them too.
    """
    return {code: _of(pack) for code, pack in packs().items() if pack.words.stop}


def _of(pack: LanguagePack) -> frozenset[str]:
    stop = [word.lower() for word in pack.words.stop]
    return frozenset((*stop, *map(fold, stop)) if pack.words.accents_left_out else stop)


def function_words_of(language: str) -> frozenset[str]:
    """The function words of a language, or those of `FALLBACK`."""
    known = function_words()
    return known.get(language) or known[FALLBACK]
