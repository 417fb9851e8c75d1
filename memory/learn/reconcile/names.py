"""Proper names in scripts that have capitals."""

from __future__ import annotations

import regex

from ...recall.text.fold import fold
from .locales import Pack

_CAPITALISED = regex.compile(r"(?<![\w'])\p{Lu}[\p{L}\p{M}\p{N}]*(?:[-&]\p{Lu}\p{L}+)*")
_NOUNS_TOO = frozenset({"de"})
"""German writes every noun with a capital: there they are no sign of a name."""


def names_of(text: str, pack: Pack) -> frozenset[str]:
    """Folded words with a capital that is not the first word's; no months or weekdays."""
    if pack.code in _NOUNS_TOO:
        return frozenset()
    found = {
        part
        for name in _CAPITALISED.finditer(text)
        if regex.search(r"[\p{L}\p{N}]", text[: name.start()])
        and not regex.search(r"[.!?]\s*$", text[: name.start()])
        for part in regex.split("[-&]", fold(name[0]))
    }
    return frozenset(
        name
        for name in found
        if name not in pack.months
        and name not in pack.weekdays
        and name not in pack.stop
        and not pack.user.fullmatch(name)
    )
