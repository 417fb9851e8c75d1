"""Whose fact a memory is: the user's, or that of somebody they know. Pure."""

from __future__ import annotations

from functools import _lru_cache_wrapper, lru_cache

from ..language import from_packs, language_of, scan

_MAX_CHARS = 400
"""A longer text is about more than one thing, and no statement (`learn/reconcile`)."""
_KIN = "people.kin."
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
    people = scan(text).section("people")
    if not any(name.startswith(_KIN) for name in people):
        return False
    # Not above: learning forgets, forgetting recalls, and recalling is here.
    from ..learn.reconcile.statement import read

    return read(text, language_of(text)).holder is not None
