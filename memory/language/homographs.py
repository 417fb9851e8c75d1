"""Words that look like pronouns but are acronyms, names, numerals or parts of titles."""

from __future__ import annotations

from .capitals import in_title, is_acronym, is_name, is_numeral, is_shouting
from .words import Words


def names_like_pronouns(words: Words) -> frozenset[int]:
    """Indexes of the words that are no pronouns as they are written: "the US", "Henry I", "Mia"."""
    raw, starts = words.raw, words.clause_starts
    capital = [i for i, word in enumerate(raw) if word[0].isupper()]
    if not capital or is_shouting(raw):
        return frozenset()
    return frozenset(
        i
        for i in capital
        if is_acronym(raw[i])
        or is_name(raw, i, starts)
        or in_title(raw, i, starts)
        or is_numeral(raw, i, starts)
    )
