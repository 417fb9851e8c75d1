"""Finds numbers that a state issues to persons, by their check digits or their letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import regex

from ..findings import Finding
from .checksums import cpf, dni, nir, resident_id
from .view import View

KIND = "national_id"
_CHECKED: list[tuple[regex.Pattern[str], Callable[[str], bool]]] = [
    (regex.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d{2}(?![A-Za-z0-9_])"), cpf),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx]"
            r"(?![A-Za-z0-9_])"
        ),
        resident_id,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_])[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3}"
            r" ?\d{3} ?\d{2}(?![A-Za-z0-9_])"
        ),
        nir,
    ),
    (
        regex.compile(
            r"(?<![A-Za-z0-9_-])(?:\d{8}|[XYZxyz]-?\d{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z]"
            r"(?![A-Za-z0-9_])"
        ),
        dni,
    ),
]
_SHAPED = regex.compile(
    # unambiguous by their letters: Italy's tax code, Britain's insurance number, the Emirates' card
    r"(?<![A-Za-z0-9_])(?:[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"
    r"|784-(?:19|20)\d{2}-\d{7}-\d|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D])"
    r"(?![A-Za-z0-9_])"
)
_DENSE = re.compile(r"[0-9](?:[\w./ -]{0,4}?[0-9]){4,}+")
"""Five digits close together, the least of any such number."""
_SEPARATORS = regex.compile(r"[ .\-]")


def find_identity(view: View) -> Iterator[Finding]:
    """Tax, identity and insurance numbers of several states: kind `national_id`."""
    text = view.text
    if not _DENSE.search(text):
        return
    for pattern, check in _CHECKED:
        for match in pattern.finditer(text):
            if check(_SEPARATORS.sub("", match.group())):
                yield Finding(*match.span(), KIND)
    yield from (Finding(*match.span(), KIND) for match in _SHAPED.finditer(text))
