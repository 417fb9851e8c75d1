"""The known name that somebody meant who wrote another one. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Collection

_CUTOFF = 0.6
"""Least similarity (0 to 1) of a name that is suggested."""
_LONGEST = 100
"""Characters of a name that is compared: a megabyte would take seconds."""


def nearest(name: str, known: Collection[str], *, cutoff: float = _CUTOFF) -> str | None:
    """The known name that is most like `name`, whatever its case and separators; None without."""
    if len(name) > _LONGEST:
        return None
    by_letters = {_letters(each): each for each in known}
    found = difflib.get_close_matches(_letters(name), by_letters, n=1, cutoff=cutoff)
    return by_letters[found[0]] if found else None


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))
