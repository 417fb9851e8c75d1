"""The refusal of a field that an operation does not have. Pure.

An unknown field is most likely a mistake of the client. Ignoring it could do more than the client
meant: a mistyped scope id would delete the memories of a larger scope.
"""

from __future__ import annotations

from collections.abc import Collection

from recollect.memory import InvalidInputError
from recollect.memory.model.nearest import nearest

MAX_SHOWN = 60
"""Characters of the unknown name that the refusal repeats."""


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
