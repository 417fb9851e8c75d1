"""Proper names in scripts that have capitals."""

from __future__ import annotations

import regex

from ...language.fold import fold
from .locales import Pack

_CAPITALISED = regex.compile(r"(?<![\w'])\p{Lu}[\p{L}\p{M}\p{N}]*(?:[-&]\p{Lu}\p{L}+)*")
_NOUNS_TOO = frozenset({"de"})
"""Languages that capitalise every noun, so capitals do not mark names."""


def names_of(text: str, pack: Pack) -> frozenset[str]:
    """Folded capitalised words, except the first of a sentence, months and weekdays."""
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
