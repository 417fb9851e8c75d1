"""Whose fact a memory is: the user's, or that of somebody they know. Pure."""

from __future__ import annotations

from functools import _lru_cache_wrapper, lru_cache

from ..language import from_packs, language_of, scan
from ..language.sections.people import SOMEBODY_ELSE

_MAX_CHARS = 400
"""A longer text is about more than one thing."""
_LEAD = ("people.user", "people.first_person", "people.third_person", "changes.lead")
_KEPT = 4_096


def is_of_somebody_else(text: str) -> bool:
    """Whether a memory states something about a relative, friend or colleague ("User's sister").

    False for memories that only mention one, and for long texts, which are about more than one
    thing.
    """
    return len(text) <= _MAX_CHARS and _kept()(text)


@from_packs
def _kept() -> _lru_cache_wrapper[bool]:
    return lru_cache(maxsize=_KEPT)(_is_of_somebody_else)


def _is_of_somebody_else(text: str) -> bool:
    """Whether the first word that is not in `_LEAD` names a relation."""
    found = scan(text)
    own = language_of(text)
    heads = {hit.start for hit in found.found(*SOMEBODY_ELSE) if hit.language == own}
    lead = {
        at for name in _LEAD for hit in found.found(name) if hit.language == own for at in hit.own
    }
    words = range(len(found.words.folded))
    first = next((at for at in words if at in heads or at not in lead), None)
    return first in heads
