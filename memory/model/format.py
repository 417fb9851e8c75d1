"""The format of what is kept, and the refusal of any other. Pure.

One number for all parts: a file, a collection, a table or a server that has another one is left as
it is. Whoever writes something that this version would misread gives it the next number, and reads
the ones from 2 on.
"""

from __future__ import annotations

from .errors import FormatError, RecollectError

FORMAT = 2
NONE = 0
"""Stands for data without a number, as the commits before the first format wrote it."""


def refuse_other(place: str, found: int, kind: type[RecollectError] = FormatError) -> None:
    """Return if it is the format of this version; `place` is what has it.

    Raises:
        RecollectError: it is another one, newer or older; of this `kind`.
    """
    if found != FORMAT:
        raise kind(refusal(place, found))


def refusal(place: str, found: int) -> str:
    """What a person is told: what was found, what can be read, and how to bring it over."""
    which = "data without a format number" if found == NONE else f"data of format {found}"
    return (
        f"{place} has {which}, and this version reads format {FORMAT}: export it with the version "
        "or commit that wrote it (`recollect memories export FILE --all`), and import the file "
        "here into a new place (`recollect memories import FILE`); nothing was changed"
    )
