"""Function words that are first names in other capitals: "mia" and "Mia", "ben" and "Ben"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..function_words import function_words
from ..registry import from_packs, packs

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
