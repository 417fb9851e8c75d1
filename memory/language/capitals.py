"""What capital letters say about a Latin word: acronym, title, name, numeral."""

from __future__ import annotations

from collections.abc import Sequence

_SHOUTING = 0.6


def is_shouting(raw: Sequence[str]) -> bool:
    """Whether capitals mean nothing, because most of the longer words are all capitals."""
    longer = [word for word in raw if len(word) > 1 and word.isalpha()]
    upper = sum(word.isupper() for word in longer)
    return len(longer) > 1 and upper >= _SHOUTING * len(longer)


def is_acronym(word: str) -> bool:
    """Two or more capitals, perhaps with digits ("US", "ME", "HTTP2")."""
    return len(word) > 1 and word.isupper() and word.isascii()


def in_title(raw: Sequence[str], index: int, starts: frozenset[int]) -> bool:
    """Whether a capitalised word inside a clause goes on with another one ("Nossa Senhora")."""
    here = raw[index]
    if index in starts or len(here) < 2 or not here[0].isupper():  # noqa: PLR2004 - "I" is no title
        return False
    following = index + 1
    return following < len(raw) and following not in starts and raw[following][0].isupper()


def is_numeral(raw: Sequence[str], index: int, starts: frozenset[int]) -> bool:
    """Whether an "I" is the Roman one: it ends its clause, after a name ("Who was Henry I?")."""
    name, following = index - 1, index + 1
    return (
        raw[index] == "I"
        and not {name, index} & (starts | {-1})
        and len(raw[name]) > 1
        and raw[name].istitle()
        and (following == len(raw) or following in starts)
    )
