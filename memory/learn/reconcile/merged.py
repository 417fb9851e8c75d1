"""Whether the text that a model made of two is true of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from ...language import names_in
from ...language.words import UNSPACED
from .tokens import tokens

MAX_CHARS = 1_000
_UNSPACED = regex.compile(f"[{UNSPACED}]")
_DIGIT = regex.compile(r"\d")


def stands_in(merged: str, sources: Iterable[str]) -> bool:
    """Whether every name and number of a text is in one of its sources.

    In scripts that have no capitals to know a name by, every character must be.
    """
    told = list(sources)
    known = {token for text in told for token in tokens(text)}
    names = {name for text in told for name in (*names_in(text), *map(str.lower, tokens(text)))}
    own = tokens(merged)
    return (
        0 < len(merged) <= MAX_CHARS
        and names_in(merged) <= names
        and all(token in known for token in own if _DIGIT.search(token) or _UNSPACED.match(token))
    )
