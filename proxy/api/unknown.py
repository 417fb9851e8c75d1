"""The refusal of a field that an operation does not have. Pure.

An unknown field is most likely a mistake of the client. Ignoring it could do more than the client
meant: a mistyped scope id would delete the memories of a larger scope.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection

from recollect.memory import InvalidInputError

MAX_SHOWN = 60
"""Characters of the unknown name that the refusal repeats."""
_CUTOFF = 0.6
"""Least similarity (0 to 1) of a name that is suggested."""


def unknown_field(
    name: str, here: Collection[str], there: Collection[str], place: str
) -> InvalidInputError:
    """The refusal of `name`; it names the nearest known field.

    `here` are the fields where it was found, `there` the operation's fields in the other `place`,
    the query or the body.
    """
    if name in there:
        return InvalidInputError(name, f"belongs in the {place}")
    shown = name[:MAX_SHOWN].encode("utf-8", "replace").decode()
    elsewhere = set(there) - set(here)
    near = nearest(name[:MAX_SHOWN], sorted({*here, *there}))
    if near is not None:
        where = f", in the {place}" if near in elsewhere else ""
        return InvalidInputError(shown, f"there is no such field; did you mean {near}{where}?")
    known = ", ".join(sorted(here))
    return InvalidInputError(
        shown, f"there is no such field; known are {known}" if known else "there is no such field"
    )


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that is most like `name`, whatever its case and separators; None without."""
    by_letters = {_letters(each): each for each in known}
    found = difflib.get_close_matches(_letters(name), by_letters, n=1, cutoff=_CUTOFF)
    return by_letters[found[0]] if found else None


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))
