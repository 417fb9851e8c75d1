"""Classifies a Latin word by its capital letters: acronym, title, name, numeral."""

from __future__ import annotations

from collections.abc import Sequence

from .words import Words

_SHOUTING = 0.6


def is_shouting(raw: Sequence[str]) -> bool:
    """Whether capitals mean nothing, because most of the longer words are all capitals."""
    upper = [word for word in raw if word.isupper() and len(word) > 1 and word.isalpha()]
    if not upper:
        return False  # as of most texts
    longer = [word for word in raw if len(word) > 1 and word.isalpha()]
    return len(longer) > 1 and len(upper) >= _SHOUTING * len(longer)


def is_acronym(word: str) -> bool:
    """Two or more capitals or digits ("US", "ME", "HTTP2"); no elided word ("J'ai")."""
    return len(word) > 1 and word.isupper() and word.isascii() and word[-1] != "'"


def in_title(raw: Sequence[str], index: int, starts: frozenset[int]) -> bool:
    """Whether a capitalised word inside a clause goes on with another one ("Nossa Senhora")."""
    here = raw[index]
    if index in starts or len(here) < 2 or not here[0].isupper():  # noqa: PLR2004 - "I" is no title
        return False
    following = index + 1
    return following < len(raw) and following not in starts and raw[following][0].isupper()


def is_name(raw: Sequence[str], index: int, starts: frozenset[int]) -> bool:
    """Whether a longer word has a capital inside a clause, where a pronoun has none ("with Mia").

    The polite "Sie" has one; forms of the first person do not, in any language.
    """
    here = raw[index]
    return len(here) > 1 and index not in starts and here.istitle()


def is_numeral(raw: Sequence[str], index: int, starts: frozenset[int]) -> bool:
    """Whether an "I" is the Roman one.

    It ends its clause after a name ("Who was Henry I?"), or follows two words of a title ("When did
    World War I end?").
    """
    name, following = index - 1, index + 1
    if raw[index] != "I" or index < 1 or index in starts or not _is_titled(raw[name]):
        return False
    if following == len(raw) or following in starts:
        return name not in starts
    return index > 1 and name not in starts and _is_titled(raw[index - 2])


def _is_titled(word: str) -> bool:
    return len(word) > 1 and word.istitle()


def names_like_pronouns(words: Words) -> frozenset[int]:
    """Indexes of the words that are no pronouns as they are written: "the US", "Henry I", "Mia"."""
    raw, starts = words.raw, words.clause_starts
    if words.text.islower():
        return frozenset()
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
